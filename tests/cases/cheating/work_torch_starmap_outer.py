# case: itertools.starmap applies torch.outer to rows, and the stacked result passes through a scaling kernel
# expect: reject torch-compute
# rule: torch-compute
# role: disguised

from itertools import starmap

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def scale_by_kernel(x_ptr, y_ptr, n, s, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y_ptr + i, tl.load(x_ptr + i, mask=i < n) * s, mask=i < n)


class ModelNew(nn.Module):
    """Batched outer products, scaled."""

    def __init__(self, scale: float):
        super().__init__()
        self.scale = scale

    def forward(self, u, v):
        pairs = zip(u.unbind(0), v.unbind(0))
        grid_of_tiles = torch.stack(list(starmap(torch.outer, pairs)))
        y = torch.empty_like(grid_of_tiles)
        n = y.numel()
        scale_by_kernel[(triton.cdiv(n, 2048),)](grid_of_tiles, y, n, self.scale, BLOCK=2048)
        return y
