# case: `contiguous` is taken for a copy, and the kernel overwrites what is the caller's tensor
# expect: accept
# suspect: writes-input
# task: tasks/clamp.py
# verify: reject writes-input|output-aliases-input

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def clamp_kernel(x_ptr, n, low, high, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=0.0)
    tl.store(x_ptr + i, tl.minimum(tl.maximum(x, low), high), mask=i < n)


class ModelNew(nn.Module):
    def __init__(self, low: float, high: float):
        super().__init__()
        self.low, self.high = low, high

    def forward(self, x):
        y = x.contiguous()
        clamp_kernel[(triton.cdiv(y.numel(), 512),)](y, y.numel(), self.low, self.high, BLOCK=512)
        return y
