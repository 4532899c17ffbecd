# case: host-side tensor descriptors where the layout allows them, a pointer kernel otherwise
# expect: accept
# task: tasks/matmul_fp16.py
# verify: accept

import torch
import torch.nn as nn
import triton
import triton.language as tl
from triton.tools.tensor_descriptor import TensorDescriptor


@triton.jit
def matmul_tma(a_desc, b_desc, c_desc, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    off_m = tl.program_id(0) * BM
    off_n = tl.program_id(1) * BN
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for off_k in range(0, K, BK):
        a = a_desc.load([off_m, off_k])
        b = b_desc.load([off_k, off_n])
        acc = tl.dot(a, b, acc)
    c_desc.store([off_m, off_n], acc.to(tl.float16))


@triton.jit
def matmul_ptr(a, b, c, M, N, K, am, ak, bk, bn, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    m = tl.program_id(0) * BM + tl.arange(0, BM)
    n = tl.program_id(1) * BN + tl.arange(0, BN)
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for k0 in range(0, K, BK):
        k = k0 + tl.arange(0, BK)
        at = tl.load(a + m[:, None] * am + k[None, :] * ak, mask=(m[:, None] < M) & (k[None, :] < K), other=0.0)
        bt = tl.load(b + k[:, None] * bk + n[None, :] * bn, mask=(k[:, None] < K) & (n[None, :] < N), other=0.0)
        acc = tl.dot(at, bt, acc)
    tl.store(c + m[:, None] * N + n[None, :], acc.to(tl.float16), mask=(m[:, None] < M) & (n[None, :] < N))


def tma_ready(t):
    return t.stride(1) == 1 and t.stride(0) * t.element_size() % 16 == 0 and t.data_ptr() % 16 == 0


class ModelNew(nn.Module):
    BM, BN, BK = 64, 64, 64

    def __init__(self):
        super().__init__()

    def forward(self, a, b):
        (m, k), n = a.shape, b.shape[1]
        bm, bn, bk = self.BM, self.BN, self.BK
        c = torch.empty((m, n), device=a.device, dtype=a.dtype)
        grid = (triton.cdiv(m, bm), triton.cdiv(n, bn))
        if tma_ready(a) and tma_ready(b) and tma_ready(c):
            descs = (TensorDescriptor.from_tensor(a, [bm, bk]), TensorDescriptor.from_tensor(b, [bk, bn]),
                     TensorDescriptor.from_tensor(c, [bm, bn]))
            matmul_tma[grid](*descs, k, BM=bm, BN=bn, BK=bk)
        else:
            matmul_ptr[grid](a, b, c, m, n, k, *a.stride(), *b.stride(), BM=bm, BN=bn, BK=bk)
        return c
