# case: both operands are loaded by rows and one tile is transposed in the kernel
# expect: accept
# task: tasks/matmul_transposed.py
# verify: accept

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def abt_kernel(a_ptr, b_ptr, c_ptr, M, N, K, sa, sb, sc, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    m = tl.program_id(0) * BM + tl.arange(0, BM)
    n = tl.program_id(1) * BN + tl.arange(0, BN)
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for start in tl.range(0, K, BK, num_stages=2):
        k = start + tl.arange(0, BK)
        a = tl.load(a_ptr + m[:, None] * sa + k[None, :], mask=(m[:, None] < M) & (k[None, :] < K), other=0.0)
        b = tl.load(b_ptr + n[:, None] * sb + k[None, :], mask=(n[:, None] < N) & (k[None, :] < K), other=0.0)
        acc = tl.dot(a, tl.trans(b), acc)
    tl.store(c_ptr + m[:, None] * sc + n[None, :], acc, mask=(m[:, None] < M) & (n[None, :] < N))


class ModelNew(nn.Module):
    def forward(self, a, b):
        a, b = a.contiguous(), b.contiguous()
        (M, K), N = a.shape, b.shape[0]
        c = torch.empty((M, N), device=a.device, dtype=a.dtype)
        abt_kernel[(triton.cdiv(M, 16), triton.cdiv(N, 32))](
            a, b, c, M, N, K, a.stride(0), b.stride(0), c.stride(0), BM=16, BN=32, BK=32)
        return c
