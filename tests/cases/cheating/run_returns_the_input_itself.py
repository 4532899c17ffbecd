# case: the kernel works in place and the input comes back as the output
# expect: reject writes-input
# task: tasks/leaky_relu.py
# static: off
# verify: reject writes-input|output-aliases-input

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def leaky_kernel(x_ptr, n, slope, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=0.0)
    tl.store(x_ptr + i, tl.where(x > 0, x, x * slope), mask=i < n)


class ModelNew(nn.Module):
    def __init__(self, slope: float):
        super().__init__()
        self.slope = slope

    def forward(self, x):
        leaky_kernel[(triton.cdiv(x.numel(), 1024),)](x, x.numel(), self.slope, BLOCK=1024)
        return x
