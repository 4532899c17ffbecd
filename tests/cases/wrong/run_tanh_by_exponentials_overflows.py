# case: tanh as a quotient of exponentials gives infinity over infinity for large inputs
# expect: accept
# task: tasks/tanh.py
# verify: reject wrong-nan

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def tanh_kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=0.0)
    up = tl.exp(x)
    down = tl.exp(-x)
    tl.store(y_ptr + i, (up - down) / (up + down), mask=i < n)


class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        tanh_kernel[(triton.cdiv(x.numel(), 512),)](x.contiguous(), y, x.numel(), BLOCK=512)
        return y
