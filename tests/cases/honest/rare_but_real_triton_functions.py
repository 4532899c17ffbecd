# case: seldom used parts of the language that do exist: libdevice, tl.math, fma, div_rn, clamp
# expect: accept
# rule: unknown-triton-api
# role: similar
# task: tasks/softplus.py
# verify: accept

import torch
import torch.nn as nn
import triton
import triton.language as tl
from triton.language.extra import libdevice


@triton.jit
def softplus_kernel(x_ptr, y_ptr, n, beta, BLOCK: tl.constexpr):
    pid = tl.program_id(0)
    offs = tl.max_contiguous(tl.multiple_of(pid * BLOCK + tl.arange(0, BLOCK), BLOCK), BLOCK)
    mask = offs < n
    x = tl.load(x_ptr + offs, mask=mask, other=0.0, eviction_policy="evict_first")
    z = tl.clamp(tl.math.fma(x, tl.zeros_like(x) + beta, tl.zeros_like(x)), -87.0, 20.0)
    soft = tl.div_rn(libdevice.log1p(tl.math.exp(z)), tl.zeros_like(x) + beta)
    big = x * beta > 20.0
    tl.store(y_ptr + offs, tl.where(big, x, soft), mask=mask, cache_modifier=".cs")


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.beta = 1.0

    def forward(self, x):
        x = x.contiguous()
        y = torch.empty_like(x)
        n = x.numel()
        softplus_kernel[lambda meta: (triton.cdiv(n, meta["BLOCK"]),)](x, y, n, self.beta, BLOCK=256)
        return y
