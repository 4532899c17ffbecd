# case: the kernel loads and reduces, then rebinds the accumulator to a constant before the store
# expect: reject store-ignores-inputs
# rule: store-ignores-inputs
# role: disguised

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def softmax_sum_kernel(x_ptr, y_ptr, n_cols, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    mask = c < n_cols
    x = tl.load(x_ptr + row * n_cols + c, mask=mask, other=-float("inf"))
    e = tl.exp(x - tl.max(x, axis=0))
    denom = tl.sum(e, axis=0)
    p = e / denom
    # The probabilities of a row add up to one.
    p = tl.full((BLOCK,), 1.0, dtype=tl.float32) / n_cols
    tl.store(y_ptr + row * n_cols + c, p, mask=mask)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, x):
        y = torch.empty_like(x)
        rows, cols = x.shape
        softmax_sum_kernel[(rows,)](x, y, cols, BLOCK=triton.next_power_of_2(cols))
        return y
