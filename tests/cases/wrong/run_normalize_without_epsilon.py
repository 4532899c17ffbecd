# case: rows are divided by their norm, and nothing keeps a row of zeros from being divided by zero
# expect: accept
# task: tasks/l2_normalize.py
# verify: reject wrong-nan

import torch
import torch.nn as nn
import triton
import triton.language as tl
@triton.jit
def norm_kernel(x_ptr, y_ptr, N, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * N + at, mask=at < N, other=0.0)
    tl.store(y_ptr + row * N + at, x / tl.sqrt(tl.sum(x * x, 0)), mask=at < N)


class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        norm_kernel[(x.shape[0],)](x, y, x.shape[1], BLOCK=triton.next_power_of_2(x.shape[1]))
        return y
