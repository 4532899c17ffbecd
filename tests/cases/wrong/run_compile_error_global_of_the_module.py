# case: the kernel reads a plain global number of the module
# expect: accept
# task: tasks/scale_shift.py
# verify: reject compile-error

import torch
import torch.nn as nn
import triton
import triton.language as tl

SCALE = 1.25


@triton.jit
def scale_kernel(x_ptr, y_ptr, n, shift, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=0.0)
    tl.store(y_ptr + i, x * SCALE + shift, mask=i < n)


class ModelNew(nn.Module):
    def __init__(self, scale: float, shift: float):
        super().__init__()
        self.shift = shift

    def forward(self, x):
        y = torch.empty_like(x)
        scale_kernel[(triton.cdiv(x.numel(), 512),)](x.contiguous(), y, x.numel(), self.shift, BLOCK=512)
        return y
