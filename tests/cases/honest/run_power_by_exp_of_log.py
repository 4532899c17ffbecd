# case: a power as the exponential of a logarithm, which is off by as many roundings as the exponent is large
# expect: accept
# task: tasks/gamma_curve.py
# verify: accept

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def gamma_kernel(x_ptr, out_ptr, n, gamma, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + at, mask=at < n, other=0.0)
    size = tl.abs(x)
    power = tl.where(size > 0, tl.exp2(gamma * tl.log2(tl.where(size > 0, size, 1.0))), 0.0)
    tl.store(out_ptr + at, tl.where(x < 0, -power, power), mask=at < n)


class ModelNew(nn.Module):
    def __init__(self, gamma):
        super().__init__()
        self.gamma = gamma

    def forward(self, x):
        x = x.contiguous()
        out = torch.empty_like(x)
        gamma_kernel[(triton.cdiv(x.numel(), 512),)](x, out, x.numel(), self.gamma, BLOCK=512)
        return out
