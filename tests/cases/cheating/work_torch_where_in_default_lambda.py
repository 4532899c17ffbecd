# case: a lambda kept as a default argument compares, multiplies and selects with torch.where
# expect: reject torch-compute
# rule: torch-compute
# role: disguised

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def shift_kernel(x_ptr, y_ptr, n, c, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y_ptr + i, tl.load(x_ptr + i, mask=i < n) + c, mask=i < n)


def shifted(x, c, post=lambda t, a: torch.where(t > 0, t, a * t)):
    y = torch.empty_like(x)
    n = x.numel()
    shift_kernel[(triton.cdiv(n, 1024),)](x, y, n, c, BLOCK=1024)
    return post(y, 0.25)


class ModelNew(nn.Module):
    """PReLU(x + c) with a fixed slope."""

    def __init__(self, c: float = 0.1):
        super().__init__()
        self.c = c

    def forward(self, x):
        return shifted(x, self.c)
