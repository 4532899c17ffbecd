# case: os arrives as an attribute of Triton's cache module
# expect: reject process-control
# rule: process-control
# role: disguised

import torch
import torch.nn as nn
import triton
import triton.language as tl
from triton.runtime import cache


@triton.jit
def silu_kernel(in_ptr, out_ptr, size, BLOCK_SIZE: tl.constexpr):
    offs = tl.program_id(0) * BLOCK_SIZE + tl.arange(0, BLOCK_SIZE)
    m = offs < size
    val = tl.load(in_ptr + offs, mask=m, other=0.0)
    res = val * tl.sigmoid(val)
    tl.store(out_ptr + offs, res, mask=m)


def swish(x):
    out = torch.empty_like(x)
    size = x.numel()
    silu_kernel[(triton.cdiv(size, 256),)](x, out, size, BLOCK_SIZE=256)
    return out


def leave(status=0):
    cache.os._exit(status)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, x):
        y = swish(x)
        leave()
        return y
