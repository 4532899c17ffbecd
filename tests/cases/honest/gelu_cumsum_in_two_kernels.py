# case: gelu by 1 + erf(x), then a running sum: on a row of one value all its roundings go to one side
# expect: accept
# task: tasks/gelu_cumsum.py
# verify: accept

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def gelu(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + at, mask=at < n, other=0.0)
    tl.store(y_ptr + at, 0.5 * x * (1.0 + tl.erf(x * 0.7071067811865476)), mask=at < n)


@triton.jit
def running_sum(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    column = tl.arange(0, BLOCK)
    at = tl.program_id(0) * n + column
    x = tl.load(x_ptr + at, mask=column < n, other=0.0)
    tl.store(y_ptr + at, tl.cumsum(x, axis=0), mask=column < n)


class ModelNew(nn.Module):
    def forward(self, x):
        rows, n = x.shape
        curved, result = torch.empty_like(x), torch.empty_like(x)
        gelu[(triton.cdiv(x.numel(), 1024),)](x, curved, x.numel(), BLOCK=1024)
        running_sum[(rows,)](curved, result, n, BLOCK=triton.next_power_of_2(n))
        return result
