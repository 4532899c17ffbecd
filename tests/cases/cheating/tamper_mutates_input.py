# case: the kernel scales the input in place, so a reference that runs later sees other data
# expect: reject writes-input
# rule: writes-input
# role: disguised

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def normalize_in_place(x_ptr, y_ptr, cols, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    m = c < cols
    x = tl.load(x_ptr + row * cols + c, mask=m, other=0.0)
    y = x / tl.sum(tl.abs(x), axis=0)
    tl.store(y_ptr + row * cols + c, y, mask=m)
    tl.store(x_ptr + row * cols + c, tl.zeros_like(x), mask=m)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, x):
        rows, cols = x.shape
        y = torch.empty_like(x)
        normalize_in_place[(rows,)](x, y, cols, BLOCK=triton.next_power_of_2(cols))
        return y
