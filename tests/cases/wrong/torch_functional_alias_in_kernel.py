# case: a jit helper uses torch.nn.functional under its usual short name
# expect: reject torch-in-kernel
# rule: torch-in-kernel
# role: disguised

import torch
import torch.nn as nn
import torch.nn.functional as F
import triton
import triton.language as tl


@triton.jit
def activate(v):
    return F.softplus(v)


@triton.jit
def bias_softplus_kernel(x_ptr, b_ptr, y_ptr, n, C, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    m = i < n
    x = tl.load(x_ptr + i, mask=m) + tl.load(b_ptr + i % C, mask=m)
    tl.store(y_ptr + i, activate(x), mask=m)


class ModelNew(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.bias = nn.Parameter(torch.zeros(channels))

    def forward(self, x):
        y = torch.empty_like(x)
        n = x.numel()
        bias_softplus_kernel[(triton.cdiv(n, 256),)](x, self.bias, y, n, self.bias.numel(), BLOCK=256)
        return y
