# case: tiles in groups of rows; the launch is hidden in a class that plans it
# expect: accept
# task: tasks/matmul_bf16.py
# verify: accept

from typing import NamedTuple

import torch
import torch.nn as nn
import triton
import triton.language as tl

class Plan(NamedTuple):
    block_m: int
    block_n: int
    block_k: int
    group: int

    def grid(self, M, N):
        return (triton.cdiv(M, self.block_m) * triton.cdiv(N, self.block_n),)


@triton.jit
def tile_of(pid, M, N, BM: tl.constexpr, BN: tl.constexpr, GROUP: tl.constexpr):
    tiles_m = tl.cdiv(M, BM)
    tiles_n = tl.cdiv(N, BN)
    first = pid // (GROUP * tiles_n) * GROUP
    size = tl.minimum(tiles_m - first, GROUP)
    inside = pid % (GROUP * tiles_n)
    return first + inside % size, inside // size


@triton.jit
def matmul_kernel(a_ptr, b_ptr, c_ptr, M, N, K, sam, sak, sbk, sbn,
                  BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, GROUP: tl.constexpr):
    pm, pn = tile_of(tl.program_id(0), M, N, BM, BN, GROUP)
    m = pm * BM + tl.arange(0, BM)
    n = pn * BN + tl.arange(0, BN)
    k = tl.arange(0, BK)
    a_at = a_ptr + m[:, None] * sam + k[None, :] * sak
    b_at = b_ptr + k[:, None] * sbk + n[None, :] * sbn
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for step in range(0, tl.cdiv(K, BK)):
        left = K - step * BK
        a = tl.load(a_at, mask=(m[:, None] < M) & (k[None, :] < left), other=0.0)
        b = tl.load(b_at, mask=(k[:, None] < left) & (n[None, :] < N), other=0.0)
        acc = tl.dot(a, b, acc)
        a_at += BK * sak
        b_at += BK * sbk
    tl.store(c_ptr + m[:, None] * N + n[None, :], acc.to(tl.bfloat16), mask=(m[:, None] < M) & (n[None, :] < N))


class ModelNew(nn.Module):
    plan = Plan(32, 32, 32, 4)

    def forward(self, a, b):
        (M, K), N = a.shape, b.shape[1]
        c = torch.empty((M, N), device=a.device, dtype=a.dtype)
        p = self.plan
        matmul_kernel[p.grid(M, N)](a, b, c, M, N, K, *a.stride(), *b.stride(),
                                    BM=p.block_m, BN=p.block_n, BK=p.block_k, GROUP=p.group)
        return c
