# case: one element in 500 is skipped, which a match ratio would forgive
# expect: accept
# task: tasks/gelu.py
# verify: reject wrong-result|wrong-nan|unwritten-output

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def gelu_kernel(x_ptr, y_ptr, n, SKIP: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    m = (i < n) & (i % SKIP != SKIP - 1)
    x = tl.load(x_ptr + i, mask=m, other=0.0)
    tl.store(y_ptr + i, 0.5 * x * (1.0 + tl.erf(x * 0.7071067811865476)), mask=m)


class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.zeros_like(x)
        gelu_kernel[(triton.cdiv(x.numel(), 1024),)](x, y, x.numel(), SKIP=500, BLOCK=1024)
        return y
