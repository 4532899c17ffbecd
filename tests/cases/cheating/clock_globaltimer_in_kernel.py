# case: the kernel itself reads the GPU's clock and only works in odd milliseconds
# expect: reject clock-access
# rule: clock-access
# role: disguised

import torch
import torch.nn as nn
import triton
import triton.language as tl
from triton.language.extra import cuda as hw


@triton.jit
def sqrt_kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offs < n
    now = hw.globaltimer()
    x = tl.load(x_ptr + offs, mask=mask, other=0.0)
    if (now // 1000000) % 2 == 1:
        x = tl.sqrt(x)
    tl.store(y_ptr + offs, x, mask=mask)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, x):
        y = torch.empty_like(x)
        n = x.numel()
        sqrt_kernel[(triton.cdiv(n, 1024),)](x, y, n, BLOCK=1024)
        return y
