# case: matmul is imported under a harmless name, rebound twice and called through the last name
# expect: reject torch-compute
# rule: torch-compute
# role: disguised

import torch
import torch.nn as nn
import triton
import triton.language as tl
from torch import matmul as _layout

pack_tiles = _layout
prepare = pack_tiles


@triton.jit
def bias_gelu_kernel(x_ptr, b_ptr, y_ptr, n_cols, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    cols = tl.arange(0, BLOCK)
    mask = cols < n_cols
    x = tl.load(x_ptr + row * n_cols + cols, mask=mask, other=0.0)
    x += tl.load(b_ptr + cols, mask=mask, other=0.0)
    y = 0.5 * x * (1.0 + tl.erf(x * 0.70710678))
    tl.store(y_ptr + row * n_cols + cols, y, mask=mask)


class ModelNew(nn.Module):
    def __init__(self, in_features: int, out_features: int):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(in_features, out_features) / in_features**0.5)
        self.bias = nn.Parameter(torch.randn(out_features))

    def forward(self, x):
        tiles = prepare(x, self.weight)
        out = torch.empty_like(tiles)
        rows, cols = tiles.shape
        bias_gelu_kernel[(rows,)](tiles, self.bias, out, cols, BLOCK=triton.next_power_of_2(cols))
        return out
