# case: a bias of 64 columns is added to a block of 32
# expect: accept
# task: tasks/bias_silu_scale.py
# verify: reject compile-error

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def bias_silu_kernel(x_ptr, b_ptr, y_ptr, M, N, scale, BM: tl.constexpr, BN: tl.constexpr):
    m = tl.program_id(0) * BM + tl.arange(0, BM)
    n = tl.program_id(1) * BN + tl.arange(0, BN)
    wide = tl.program_id(1) * BN + tl.arange(0, 2 * BN)
    inside = (m[:, None] < M) & (n[None, :] < N)
    x = tl.load(x_ptr + m[:, None] * N + n[None, :], mask=inside, other=0.0)
    x = x + tl.load(b_ptr + wide, mask=wide < N, other=0.0)[None, :]
    tl.store(y_ptr + m[:, None] * N + n[None, :], x * tl.sigmoid(x) * scale, mask=inside)


class ModelNew(nn.Module):
    def __init__(self, features, scale):
        super().__init__()
        self.bias = nn.Parameter(torch.randn(features))
        self.scale = scale

    def forward(self, x):
        x = x.contiguous()
        M, N = x.shape
        y = torch.empty_like(x)
        bias_silu_kernel[(triton.cdiv(M, 16), triton.cdiv(N, 32))](x, self.bias, y, M, N, self.scale, BM=16, BN=32)
        return y
