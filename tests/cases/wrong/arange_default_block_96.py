# case: the constexpr default of 96 reaches tl.arange
# expect: reject arange-size
# rule: arange-size
# role: disguised

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def halve_kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr = 96):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n)
    tl.store(y_ptr + i, x * 0.5, mask=i < n)


class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        halve_kernel[(triton.cdiv(x.numel(), 96),)](x, y, x.numel())
        return y
