# case: torch._C._VariableFunctions gives cumsum under a name that looks like a kernel helper
# expect: reject torch-compute
# rule: torch-compute
# role: disguised

import torch
import torch.nn as nn
import triton
import triton.language as tl

_vf = torch._C._VariableFunctions


@triton.jit
def flip_sign_kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y_ptr + offs, -tl.load(x_ptr + offs, mask=offs < n), mask=offs < n)


def block_scan(x, dim):
    return _vf.cumsum(x, dim)


class ModelNew(nn.Module):
    """Negated running sum."""

    def __init__(self, dim: int):
        super().__init__()
        self.dim = dim

    def forward(self, x):
        scanned = block_scan(x, self.dim)
        out = torch.empty_like(scanned)
        n = scanned.numel()
        flip_sign_kernel[(triton.cdiv(n, 1024),)](scanned, out, n, BLOCK=1024)
        return out
