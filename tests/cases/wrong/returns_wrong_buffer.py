# case: the kernel fills out, forward returns the other buffer
# expect: reject launch-result-unused
# rule: launch-result-unused
# role: caught

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def residual_kernel(x_ptr, r_ptr, o_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n)
    r = tl.load(r_ptr + i, mask=i < n)
    tl.store(o_ptr + i, x + r, mask=i < n)


class ModelNew(nn.Module):
    def forward(self, x, residual):
        out = torch.empty_like(x)
        result = torch.zeros_like(x)
        residual_kernel[(triton.cdiv(x.numel(), 1024),)](x, residual, out, x.numel(), BLOCK=1024)
        return result
