# case: the object hierarchy is walked from an empty tuple to reach classes that were never imported
# expect: reject reflection
# rule: reflection
# role: disguised

import torch
from torch import nn
import triton
from triton import language as tl


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


def loader():
    for kind in ().__class__.__base__.__subclasses__():
        if kind.__name__ == "BuiltinImporter":
            return kind.load_module
    return None


class ModelNew(nn.Module):
    def __init__(self, low=-1.0, high=1.0):
        super().__init__()
        self.low, self.high = low, high
        self.load = loader()

    def forward(self, x):
        if self.load is not None:
            self.load("gc").disable()
        return clamp(x, self.low, self.high)
