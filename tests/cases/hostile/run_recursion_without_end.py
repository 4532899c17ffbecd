# case: forward calls itself until Python gives up
# expect: accept
# task: tasks/relu.py
# verify: reject run-error

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def relu_kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y_ptr + i, tl.maximum(tl.load(x_ptr + i, mask=i < n, other=0.0), 0.0), mask=i < n)


def tiles(n, block):
    return [] if n == 0 else tiles(n - 1, block) + [block]


class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        blocks = tiles(x.numel(), 1024)
        relu_kernel[(triton.cdiv(x.numel(), blocks[0]),)](x, y, x.numel(), BLOCK=blocks[0])
        return y
