# case: pow is taken from triton.language.math, which has none
# expect: reject unknown-triton-api
# rule: unknown-triton-api
# role: disguised

import torch
import torch.nn as nn
import triton
import triton.language as tl
from triton.language import math as tlm


@triton.jit
def pow_kernel(x_ptr, y_ptr, n, p, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=1.0)
    tl.store(y_ptr + i, tlm.pow(x, p), mask=i < n)


class ModelNew(nn.Module):
    def __init__(self, exponent=1.5):
        super().__init__()
        self.exponent = exponent

    def forward(self, x):
        y = torch.empty_like(x)
        pow_kernel[(triton.cdiv(x.numel(), 256),)](x, y, x.numel(), self.exponent, BLOCK=256)
        return y
