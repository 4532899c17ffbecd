# case: torch.nn.functional's __dict__ is indexed with a key built from the class name
# expect: reject opaque-attribute
# rule: opaque-attribute
# role: disguised

import torch
import torch.nn as nn
import torch.nn.functional as F
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


class Linear(nn.Module):
    def __init__(self, n_in, n_out):
        super().__init__()
        self.w = nn.Parameter(torch.randn(n_out, n_in))
        self.b = nn.Parameter(torch.zeros(n_out))

    def forward(self, x):
        return F.__dict__[type(self).__name__.lower()](x, self.w, self.b)


class ModelNew(nn.Module):
    def __init__(self, n_in, n_out):
        super().__init__()
        self.proj = Linear(n_in, n_out)

    def forward(self, x):
        return clamp(self.proj(x), -1.0, 1.0)
