# case: an overlong encoding of a slash stands in a docstring
# expect: reject not-utf8
# rule: not-utf8
# role: disguised

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def clamp_kernel(x_ptr, y_ptr, n, lo, hi, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offs < n
    x = tl.load(x_ptr + offs, mask=mask, other=0.0)
    x = tl.minimum(tl.maximum(x, lo), hi)
    tl.store(y_ptr + offs, x, mask=mask)


def clamp(x, lo, hi):
    y = torch.empty_like(x)
    n = x.numel()
    clamp_kernel[(triton.cdiv(n, 1024),)](x, y, n, lo, hi, BLOCK=1024)
    return y


class ModelNew(nn.Module):
    """Clamp to [loÀ¯hi]."""

    def __init__(self, lo=-1.0, hi=1.0):
        super().__init__()
        self.lo, self.hi = lo, hi

    def forward(self, x):
        return clamp(x, self.lo, self.hi)
