# case: the parts of a split inner dimension store over one another
# expect: accept
# task: tasks/matmul_small.py
# verify: reject data-race|wrong-result

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def split_k_kernel(a_ptr, b_ptr, c_ptr, M, N, K, PART: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr):
    rm = tl.program_id(0) * BM + tl.arange(0, BM)
    rn = tl.program_id(1) * BN + tl.arange(0, BN)
    rk = tl.program_id(2) * PART + tl.arange(0, PART)
    a = tl.load(a_ptr + rm[:, None] * K + rk[None, :], mask=(rm[:, None] < M) & (rk[None, :] < K), other=0.0)
    b = tl.load(b_ptr + rk[:, None] * N + rn[None, :], mask=(rk[:, None] < K) & (rn[None, :] < N), other=0.0)
    at = c_ptr + rm[:, None] * N + rn[None, :]
    inside = (rm[:, None] < M) & (rn[None, :] < N)
    tl.store(at, tl.load(at, mask=inside, other=0.0) + tl.dot(a, b), mask=inside)


class ModelNew(nn.Module):
    def forward(self, a, b):
        (M, K), N = a.shape, b.shape[1]
        c = torch.zeros((M, N), device=a.device, dtype=a.dtype)
        grid = (triton.cdiv(M, 32), triton.cdiv(N, 32), triton.cdiv(K, 16))
        split_k_kernel[grid](a.contiguous(), b.contiguous(), c, M, N, K, PART=16, BM=32, BN=32)
        return c
