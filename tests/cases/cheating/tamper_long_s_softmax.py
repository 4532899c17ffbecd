# case: the long s of old print makes softmax look like another word to a text search
# expect: reject disguised-identifier
# rule: disguised-identifier
# role: disguised

import torch
import torch.nn as nn
import torch.nn.functional as F
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


class ModelNew(nn.Module):
    def __init__(self, rows):
        super().__init__()
        self.gain = nn.Parameter(torch.ones(rows))

    def forward(self, x):
        return scale_rows(F.ſoftmax(x, dim=-1), self.gain)
