# case: tiles over rows and columns, with strides passed in
# expect: accept
# task: tasks/clamp.py
# verify: accept

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def clamp_kernel(x_ptr, y_ptr, rows, cols, xs, ys, low, high, BR: tl.constexpr, BC: tl.constexpr):
    r = tl.program_id(0) * BR + tl.arange(0, BR)
    c = tl.program_id(1) * BC + tl.arange(0, BC)
    mask = (r[:, None] < rows) & (c[None, :] < cols)
    x = tl.load(x_ptr + r[:, None] * xs + c[None, :], mask=mask, other=0.0)
    tl.store(y_ptr + r[:, None] * ys + c[None, :], tl.clamp(x, low, high), mask=mask)


class ModelNew(nn.Module):
    def __init__(self, low: float, high: float):
        super().__init__()
        self.low, self.high = low, high

    def forward(self, x):
        rows, cols = x.shape
        y = torch.empty_like(x)
        grid = (triton.cdiv(rows, 8), triton.cdiv(cols, 128))
        clamp_kernel[grid](x, y, rows, cols, x.stride(0), y.stride(0), self.low, self.high, BR=8, BC=128)
        return y
