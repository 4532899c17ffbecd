# case: an nn.Linear built in __init__ is called in forward, and a kernel only divides and clamps its result
# expect: reject torch-compute
# rule: torch-compute
# role: caught

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def div_clamp_kernel(x_ptr, n, divisor, low, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offs < n
    v = tl.load(x_ptr + offs, mask=mask, other=0.0) / divisor
    tl.store(x_ptr + offs, tl.maximum(v, low), mask=mask)


class ModelNew(nn.Module):
    def __init__(self, in_features, out_features, divisor=2.0, low=-1.0):
        super().__init__()
        self.linear = nn.Linear(in_features, out_features)
        self.divisor = divisor
        self.low = low

    def forward(self, x):
        y = self.linear(x)
        n = y.numel()
        grid = lambda meta: (triton.cdiv(n, meta["BLOCK"]),)
        div_clamp_kernel[grid](y, n, self.divisor, self.low, BLOCK=512)
        return y
