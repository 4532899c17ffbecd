# case: the name of the module to import is computed from character codes
# expect: reject forbidden-import
# rule: forbidden-import
# role: disguised

import torch
import torch.nn as nn
import triton
import triton.language as tl


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

CODES = (111, 115)


def host():
    name = "".join(chr(c) for c in CODES)
    return __import__(name)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.n_cpu = host().cpu_count()

    def forward(self, x):
        return swish(x)
