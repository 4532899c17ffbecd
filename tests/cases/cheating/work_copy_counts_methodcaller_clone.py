# case: operator.methodcaller builds the copying method from parts and applies it to a transposed view
# expect: reject copy-counts
# rule: copy-counts
# role: disguised
# task: tasks/transpose.py
# static: off
# verify: reject copy-counts|torch-compute

import operator

import torch
import torch.nn as nn
import triton
import triton.language as tl

_swap = operator.attrgetter("mT")
_settle = operator.methodcaller("con" + "tiguous")


@triton.jit
def tile_copy_kernel(a_ptr, b_ptr, rows, cols, BM: tl.constexpr, BN: tl.constexpr):
    r = tl.program_id(0) * BM + tl.arange(0, BM)[:, None]
    c = tl.program_id(1) * BN + tl.arange(0, BN)[None, :]
    mask = (r < rows) & (c < cols)
    tl.store(b_ptr + r * cols + c, tl.load(a_ptr + r * cols + c, mask=mask), mask=mask)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, x):
        tiles = _settle(_swap(x))
        rows, cols = tiles.shape
        out = torch.empty_like(tiles)
        tile_copy_kernel[(triton.cdiv(rows, 32), triton.cdiv(cols, 32))](tiles, out, rows, cols, BM=32, BN=32)
        return out
