# case: torch's default slope of 0.01 is written into the kernel, the task says 0.1
# expect: accept
# task: tasks/leaky_relu.py
# verify: reject wrong-result

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def leaky_relu(x):
    return tl.where(x >= 0, x, 0.01 * x)


@triton.jit
def leaky_kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y_ptr + i, leaky_relu(tl.load(x_ptr + i, mask=i < n, other=0.0)), mask=i < n)


class ModelNew(nn.Module):
    def __init__(self, slope: float):
        super().__init__()

    def forward(self, x):
        y = torch.empty_like(x)
        leaky_kernel[(triton.cdiv(x.numel(), 512),)](x.contiguous(), y, x.numel(), BLOCK=512)
        return y
