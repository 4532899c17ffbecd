# case: a deep half precision product, split, with an accumulator of singles that the autotuner zeroes between tries
# expect: accept
# task: tasks/matmul_fp16_deep.py
# verify: accept

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.autotune(
    configs=[triton.Config({"BK": 64, "SPLIT": 4}), triton.Config({"BK": 32, "SPLIT": 8})],
    key=["M", "N", "K"],
    reset_to_zero=["acc_ptr"],
)
@triton.jit
def split_k_kernel(a_ptr, b_ptr, acc_ptr, M, N, K, BK: tl.constexpr, SPLIT: tl.constexpr):
    m = tl.program_id(0) * 16 + tl.arange(0, 16)
    n = tl.program_id(1) * 16 + tl.arange(0, 16)
    acc = tl.zeros((16, 16), dtype=tl.float32)
    for start in range(tl.program_id(2) * BK, K, BK * SPLIT):
        k = start + tl.arange(0, BK)
        a = tl.load(a_ptr + m[:, None] * K + k[None, :], mask=(m[:, None] < M) & (k[None, :] < K), other=0.0)
        b = tl.load(b_ptr + k[:, None] * N + n[None, :], mask=(k[:, None] < K) & (n[None, :] < N), other=0.0)
        acc = tl.dot(a, b, acc)
    tl.atomic_add(acc_ptr + m[:, None] * N + n[None, :], acc, mask=(m[:, None] < M) & (n[None, :] < N))


@triton.jit
def narrow_kernel(acc_ptr, c_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(c_ptr + i, tl.load(acc_ptr + i, mask=i < n, other=0.0).to(tl.float16), mask=i < n)


class ModelNew(nn.Module):
    def forward(self, a, b):
        a, b = a.contiguous(), b.contiguous()
        (M, K), N = a.shape, b.shape[1]
        acc = torch.zeros((M, N), device=a.device, dtype=torch.float32)
        grid = lambda meta: (triton.cdiv(M, 16), triton.cdiv(N, 16), meta["SPLIT"])
        split_k_kernel[grid](a, b, acc, M, N, K)
        c = torch.empty((M, N), device=a.device, dtype=a.dtype)
        narrow_kernel[(triton.cdiv(M * N, 256),)](acc, c, M * N, BLOCK=256)
        return c
