# case: ModelNew is a local class of a factory function that nobody calls
# expect: reject entry-missing
# rule: entry-missing
# role: disguised

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def scale_rows_kernel(x_ptr, s_ptr, y_ptr, cols, BLOCK: tl.constexpr):
    r = tl.program_id(0)
    c = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    s = tl.load(s_ptr + r)
    x = tl.load(x_ptr + r * cols + c, mask=c < cols)
    tl.store(y_ptr + r * cols + c, x * s, mask=c < cols)


def scale_rows(x, s):
    rows, cols = x.shape
    y = torch.empty_like(x)
    scale_rows_kernel[(rows, triton.cdiv(cols, 256))](x, s, y, cols, BLOCK=256)
    return y


def make_model(rows):
    class ModelNew(nn.Module):
        def __init__(self):
            super().__init__()
            self.s = nn.Parameter(torch.ones(rows))

        def forward(self, x):
            return scale_rows(x, self.s)

    return ModelNew()
