# case: an object whose __getattr__ forwards to torch stands between forward and torch.logsumexp
# expect: reject torch-compute
# rule: torch-compute
# role: disguised

import torch
import torch.nn as nn
import triton
import triton.language as tl


class _Kernels:
    """Namespace of fused row operations."""

    def __getattr__(self, name):
        return getattr(torch, name)


kernels = _Kernels()


@triton.jit
def subtract_row_kernel(x_ptr, lse_ptr, y_ptr, n_cols, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * n_cols + c, mask=c < n_cols)
    tl.store(y_ptr + row * n_cols + c, x - tl.load(lse_ptr + row), mask=c < n_cols)


class ModelNew(nn.Module):
    def __init__(self, dim: int = -1):
        super().__init__()
        self.dim = dim

    def forward(self, x):
        rows, cols = x.shape
        lse = kernels.logsumexp(x, self.dim)
        y = torch.empty_like(x)
        subtract_row_kernel[(rows,)](x, lse, y, cols, BLOCK=triton.next_power_of_2(cols))
        return y
