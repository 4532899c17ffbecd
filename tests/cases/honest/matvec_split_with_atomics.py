# case: the inner dimension is split over programs, which add atomically
# expect: accept
# task: tasks/matvec.py
# verify: accept

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def matvec_kernel(a_ptr, x_ptr, y_ptr, M, K, BM: tl.constexpr, BK: tl.constexpr):
    m = tl.program_id(0) * BM + tl.arange(0, BM)
    k = tl.program_id(1) * BK + tl.arange(0, BK)
    a = tl.load(a_ptr + m[:, None] * K + k[None, :], mask=(m[:, None] < M) & (k[None, :] < K), other=0.0)
    x = tl.load(x_ptr + k, mask=k < K, other=0.0)
    tl.atomic_add(y_ptr + m, tl.sum(a * x[None, :], axis=1), mask=m < M, sem="relaxed")


class ModelNew(nn.Module):
    def forward(self, a, x):
        M, K = a.shape
        y = torch.zeros(M, device=a.device, dtype=a.dtype)
        matvec_kernel[(triton.cdiv(M, 16), triton.cdiv(K, 128))](a.contiguous(), x.contiguous(), y, M, K, BM=16, BK=128)
        return y
