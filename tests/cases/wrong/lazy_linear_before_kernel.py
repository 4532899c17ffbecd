# case: the linear layer runs in torch, only the activation is a kernel
# expect: reject torch-compute
# rule: torch-compute
# role: caught

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


class ModelNew(nn.Module):
    def __init__(self, n_in, n_out):
        super().__init__()
        self.linear = nn.Linear(n_in, n_out)

    def forward(self, x):
        return swish(self.linear(x))
