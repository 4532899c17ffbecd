# case: torch is imported again under a name with a Cyrillic letter
# expect: reject torch-compute
# rule: torch-compute
# role: disguised

import torch
import torch.nn as nn
import triton
import triton.language as tl
import torch as tоrch


@triton.jit
def softplus_kernel(x_ptr, o_ptr, n, beta, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    ok = i < n
    x = tl.load(x_ptr + i, mask=ok, other=0.0)
    z = x * beta
    y = tl.where(z > 20.0, x, tl.log(1.0 + tl.exp(z)) / beta)
    tl.store(o_ptr + i, y, mask=ok)


def softplus(x, beta=1.0):
    o = torch.empty_like(x)
    softplus_kernel[(triton.cdiv(x.numel(), 1024),)](x, o, x.numel(), beta, BLOCK=1024)
    return o


class ModelNew(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.w = nn.Parameter(torch.randn(n, n))

    def forward(self, x):
        return softplus(tоrch.matmul(x, self.w))
