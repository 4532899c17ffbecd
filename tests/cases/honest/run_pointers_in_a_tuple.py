# case: a kernel takes its pointers in one tuple, and loads through one and stores through the other
# expect: accept
# suspect: writes-input
# task: tasks/silu.py
# verify: accept

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def silu_kernel(pointers, n, BLOCK: tl.constexpr):
    x_ptr, y_ptr = pointers
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + at, mask=at < n, other=0.0)
    tl.store(y_ptr + at, x * tl.sigmoid(x), mask=at < n)


class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        silu_kernel[(triton.cdiv(x.numel(), 1024),)]((x, y), x.numel(), BLOCK=1024)
        return y
