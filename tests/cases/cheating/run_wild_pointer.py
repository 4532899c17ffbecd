# case: the kernel reads a terabyte away from its argument
# expect: accept
# task: tasks/relu.py
# verify: reject out-of-bounds

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def relu_kernel(x_ptr, y_ptr, n, far, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=0.0)
    ghost = tl.load(x_ptr + far + i, mask=i < n, other=0.0)
    tl.store(y_ptr + i, tl.maximum(x, 0.0) + 0.0 * ghost, mask=i < n)


class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        relu_kernel[(triton.cdiv(x.numel(), 1024),)](x, y, x.numel(), 1 << 38, BLOCK=1024)
        return y
