# case: a loop variable starts as an integer and becomes a block of floats
# expect: accept
# task: tasks/column_min.py
# verify: reject compile-error

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def column_min_kernel(x_ptr, out_ptr, M, N, BLOCK: tl.constexpr):
    c = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    least = 0
    for r in range(M):
        x = tl.load(x_ptr + r * N + c, mask=c < N, other=float("inf"))
        least = tl.minimum(least, x)
    tl.store(out_ptr + c, least, mask=c < N)


class ModelNew(nn.Module):
    def forward(self, x):
        x = x.contiguous()
        M, N = x.shape
        out = torch.empty(N, device=x.device, dtype=x.dtype)
        column_min_kernel[(triton.cdiv(N, 64),)](x, out, M, N, BLOCK=64)
        return out
