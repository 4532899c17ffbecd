# case: two kernels, and neither of them loads anything
# expect: reject store-ignores-inputs
# rule: store-ignores-inputs
# role: disguised

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def fill_kernel(y_ptr, n, value, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y_ptr + i, value, mask=i < n)


@triton.jit
def ramp_kernel(y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y_ptr + i, i * 0.001, mask=i < n)


class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        n = x.numel()
        grid = (triton.cdiv(n, 1024),)
        fill_kernel[grid](y, n, 0.5, BLOCK=1024)
        ramp_kernel[grid](y, n, BLOCK=1024)
        return y
