# case: the launch stands after an unconditional return in the helper, so it can never run
# expect: reject no-launch
# rule: no-launch
# role: disguised

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def cumsum_kernel(x_ptr, out_ptr, n_cols, BLOCK_N: tl.constexpr):
    row = tl.program_id(0)
    offs = tl.arange(0, BLOCK_N)
    mask = offs < n_cols
    x = tl.load(x_ptr + row * n_cols + offs, mask=mask, other=0.0)
    tl.store(out_ptr + row * n_cols + offs, tl.cumsum(x, axis=0), mask=mask)


def row_cumsum(x: torch.Tensor) -> torch.Tensor:
    rows, cols = x.shape
    block = triton.next_power_of_2(cols)
    out = torch.empty_like(x)
    try:
        return torch.cumsum(x, dim=1, out=out)
    finally:
        assert block >= cols
    cumsum_kernel[(rows,)](x, out, cols, BLOCK_N=block)
    return out


class ModelNew(nn.Module):
    def __init__(self, dim: int = 1):
        super().__init__()
        self.dim = dim

    def forward(self, x):
        return row_cumsum(x)
