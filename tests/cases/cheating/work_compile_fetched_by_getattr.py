# case: the compiler is fetched by a split attribute name and used as a decorator called fuse
# expect: reject torch-compile
# rule: torch-compile
# role: disguised

import functools

import torch
import torch.nn as nn
import triton
import triton.language as tl

_stage = ("com", "pile")
fuse = functools.partial(getattr(torch, _stage[0] + _stage[1]), fullgraph=True)


@triton.jit
def offset_kernel(x_ptr, y_ptr, n, c, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y_ptr + i, tl.load(x_ptr + i, mask=i < n) + c, mask=i < n)


@fuse
def group_statistics(x, groups):
    g = x.reshape(x.shape[0], groups, -1)
    return (g - g.mean(-1, keepdim=True)) / g.std(-1, keepdim=True)


class ModelNew(nn.Module):
    def __init__(self, groups: int):
        super().__init__()
        self.groups = groups

    def forward(self, x):
        z = group_statistics(x, self.groups)
        y = torch.empty_like(z)
        n = z.numel()
        offset_kernel[(triton.cdiv(n, 1024),)](z, y, n, 0.0, BLOCK=1024)
        return y.view_as(x)
