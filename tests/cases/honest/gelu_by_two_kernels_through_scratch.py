# case: the error function in one kernel, the product in another; either one alone changes the output
# expect: accept
# task: tasks/gelu.py
# verify: accept

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def phi_kernel(x_ptr, p_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=0.0)
    tl.store(p_ptr + i, 0.5 * (1.0 + tl.erf(x * 0.7071067811865476)), mask=i < n)


@triton.jit
def times_kernel(x_ptr, p_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    p = tl.load(p_ptr + i, mask=i < n, other=0.0)
    tl.store(p_ptr + i, p * tl.load(x_ptr + i, mask=i < n, other=0.0), mask=i < n)


class ModelNew(nn.Module):
    def forward(self, x):
        x = x.contiguous()
        y = torch.empty_like(x)
        grid = (triton.cdiv(x.numel(), 1024),)
        phi_kernel[grid](x, y, x.numel(), BLOCK=1024)
        times_kernel[grid](x, y, x.numel(), BLOCK=1024)
        return y
