# case: a jit helper takes the mean with a function that tl does not have
# expect: reject unknown-triton-api
# rule: unknown-triton-api
# role: disguised

import torch
import torch.nn as nn
import triton
from triton import language as T


@triton.jit
def center(x):
    return x - T.mean(x, axis=0)


@triton.jit
def center_rows_kernel(x_ptr, y_ptr, N, BLOCK: T.constexpr):
    r = T.program_id(0)
    c = T.arange(0, BLOCK)
    x = T.load(x_ptr + r * N + c, mask=c < N, other=0.0)
    T.store(y_ptr + r * N + c, center(x), mask=c < N)


class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        M, N = x.shape
        center_rows_kernel[(M,)](x, y, N, BLOCK=triton.next_power_of_2(N))
        return y
