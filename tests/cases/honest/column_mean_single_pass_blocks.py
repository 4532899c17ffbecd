# case: one program per block of columns walks down the rows
# expect: accept
# task: tasks/column_mean.py
# verify: accept

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def column_mean_kernel(x_ptr, out_ptr, M, N, stride_m, stride_n, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr):
    n = tl.program_id(0) * BLOCK_N + tl.arange(0, BLOCK_N)
    acc = tl.zeros([BLOCK_M, BLOCK_N], dtype=tl.float32)
    for m0 in range(0, M, BLOCK_M):
        m = m0 + tl.arange(0, BLOCK_M)
        acc += tl.load(x_ptr + m[:, None] * stride_m + n[None, :] * stride_n,
                       mask=(m[:, None] < M) & (n[None, :] < N), other=0.0)
    tl.store(out_ptr + n, tl.sum(acc, axis=0) / M, mask=n < N)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, x):
        M, N = x.shape
        out = torch.empty([N], device=x.device, dtype=x.dtype)
        column_mean_kernel[triton.cdiv(N, 32), ](x, out, M, N, *x.stride(), BLOCK_M=32, BLOCK_N=32)
        return out
