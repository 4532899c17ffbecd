# case: a loop of 2**40 rounds over the same block
# expect: accept
# task: tasks/tanh.py
# verify: reject step-limit|step-budget|time-limit

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def tanh_kernel(x_ptr, y_ptr, n, rounds, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=0.0)
    y = x
    for r in range(0, rounds):
        y = 2.0 * tl.sigmoid(2.0 * x) - 1.0 + 0.0 * y
    tl.store(y_ptr + i, y, mask=i < n)


class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        tanh_kernel[(triton.cdiv(x.numel(), 1024),)](x, y, x.numel(), 1 << 40, BLOCK=1024)
        return y
