# case: the stencil asks for its block plus the halo on both sides
# expect: reject arange-size
# rule: arange-size
# role: disguised

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def stencil_kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    start = tl.program_id(0) * BLOCK
    wide = start - 1 + tl.arange(0, BLOCK + 2)
    x = tl.load(x_ptr + wide, mask=(wide >= 0) & (wide < n), other=0.0)
    i = start + tl.arange(0, BLOCK)
    left = tl.load(x_ptr + i - 1, mask=(i > 0) & (i <= n), other=0.0)
    right = tl.load(x_ptr + i + 1, mask=i + 1 < n, other=0.0)
    tl.store(y_ptr + i, (left + right) * 0.5 + tl.sum(x, axis=0) * 0.0, mask=i < n)


class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        n = x.numel()
        stencil_kernel[(triton.cdiv(n, 256),)](x, y, n, BLOCK=256)
        return y
