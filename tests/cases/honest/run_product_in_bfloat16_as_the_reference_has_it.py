# case: the reference multiplies in bf16 what it is given in fp32, and so does the kernel
# expect: accept
# task: tasks/product_through_bfloat16.py
# verify: accept

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def mixed(x_ptr, w_ptr, y_ptr, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    m = tl.program_id(0) * BM + tl.arange(0, BM)
    n = tl.program_id(1) * BN + tl.arange(0, BN)
    acc = tl.zeros((BM, BN), tl.float32)
    for k0 in range(0, K, BK):
        k = k0 + tl.arange(0, BK)
        a = tl.load(x_ptr + m[:, None] * K + k[None, :], mask=(m[:, None] < M) & (k[None, :] < K), other=0.0)
        w = tl.load(w_ptr + n[None, :] * K + k[:, None], mask=(n[None, :] < N) & (k[:, None] < K), other=0.0)
        acc = tl.dot(a.to(tl.bfloat16), w.to(tl.bfloat16), acc)
    y = acc.to(tl.bfloat16).to(tl.float32)
    tl.store(y_ptr + m[:, None] * N + n[None, :], y, mask=(m[:, None] < M) & (n[None, :] < N))


class ModelNew(nn.Module):
    def __init__(self, k, n):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(n, k) * 0.1)

    def forward(self, x):
        M, K = x.shape
        N = self.weight.shape[0]
        y = torch.empty((M, N), device=x.device, dtype=torch.float32)
        mixed[(triton.cdiv(M, 16), triton.cdiv(N, 16))](x.contiguous(), self.weight, y, M, N, K, BM=16, BN=16, BK=32)
        return y
