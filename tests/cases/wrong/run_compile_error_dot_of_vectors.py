# case: tl.dot of a matrix and a vector
# expect: accept
# task: tasks/matvec.py
# verify: reject compile-error

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def matvec_kernel(a_ptr, x_ptr, y_ptr, M, K, BM: tl.constexpr, BK: tl.constexpr):
    m = tl.program_id(0) * BM + tl.arange(0, BM)
    acc = tl.zeros((BM,), dtype=tl.float32)
    for k0 in range(0, K, BK):
        k = k0 + tl.arange(0, BK)
        a = tl.load(a_ptr + m[:, None] * K + k[None, :], mask=(m[:, None] < M) & (k[None, :] < K), other=0.0)
        x = tl.load(x_ptr + k, mask=k < K, other=0.0)
        acc += tl.dot(a, x)
    tl.store(y_ptr + m, acc, mask=m < M)


class ModelNew(nn.Module):
    def forward(self, a, x):
        M, K = a.shape
        y = torch.empty(M, device=a.device, dtype=a.dtype)
        matvec_kernel[(triton.cdiv(M, 32),)](a.contiguous(), x.contiguous(), y, M, K, BM=32, BK=64)
        return y
