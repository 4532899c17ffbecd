# case: the launch has a positional argument behind a keyword one
# expect: reject syntax-error
# rule: syntax-error
# role: disguised

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def axpy_kernel(x_ptr, y_ptr, o_ptr, a, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n)
    y = tl.load(y_ptr + i, mask=i < n)
    tl.store(o_ptr + i, a * x + y, mask=i < n)


class ModelNew(nn.Module):
    def __init__(self, a=2.0):
        super().__init__()
        self.a = a

    def forward(self, x, y):
        o = torch.empty_like(x)
        axpy_kernel[(triton.cdiv(x.numel(), 1024),)](x, y, o, a=self.a, x.numel(), BLOCK=1024)
        return o
