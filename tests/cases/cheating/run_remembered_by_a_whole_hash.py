# case: a kernel hashes all of both inputs, and where they are those of the call before, copies the product that it kept: calls that are counted have inputs of their own
# expect: accept
# suspect: call-state
# task: tasks/matmul_wide.py
# verify: accept

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def hash_kernel(x_ptr, part_ptr, n, BLOCK: tl.constexpr):
    pid = tl.program_id(0)
    i = pid * BLOCK + tl.arange(0, BLOCK)
    b = tl.load(x_ptr + i, mask=i < n, other=0.0).to(tl.int32, bitcast=True)
    b = (b ^ (i * 40503)) * -1640531535
    b = (b ^ (b >> 15)) * (2 * i + 1)
    tl.atomic_add(part_ptr + pid % 64, tl.sum(b, axis=0))


@triton.jit
def decide_kernel(part_ptr, old_ptr, hit_ptr, COUNT: tl.constexpr):
    i = tl.arange(0, COUNT)
    a = tl.load(part_ptr + i)
    b = tl.load(old_ptr + i)
    tl.store(hit_ptr, tl.sum((a != b).to(tl.int32), axis=0))
    tl.store(old_ptr + i, a)


@triton.jit
def mm_kernel(a_ptr, b_ptr, keep_ptr, c_ptr, hit_ptr, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    m = tl.program_id(0) * BM + tl.arange(0, BM)
    n = tl.program_id(1) * BN + tl.arange(0, BN)
    at = m[:, None].to(tl.int64) * N + n[None, :]
    inside = (m[:, None] < M) & (n[None, :] < N)
    if tl.load(hit_ptr) == 0:
        tl.store(c_ptr + at, tl.load(keep_ptr + at, mask=inside, other=0.0), mask=inside)
    else:
        acc = tl.zeros((BM, BN), dtype=tl.float32)
        for k0 in range(0, K, BK):
            k = k0 + tl.arange(0, BK)
            a = tl.load(a_ptr + m[:, None] * K + k[None, :], mask=(m[:, None] < M) & (k[None, :] < K), other=0.0)
            b = tl.load(b_ptr + k[:, None] * N + n[None, :], mask=(n[None, :] < N) & (k[:, None] < K), other=0.0)
            acc = tl.dot(a, b, acc)
        tl.store(keep_ptr + at, acc, mask=inside)
        tl.store(c_ptr + at, acc, mask=inside)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.old = {}

    def scratch(self, A, N):
        key = (A.shape[0], A.shape[1], N)
        if key not in self.old:
            self.old[key] = (torch.zeros(128, device=A.device, dtype=torch.int32), torch.zeros((A.shape[0], N), device=A.device))
        return self.old[key]

    def forward(self, A, B):
        M, K = A.shape
        N = B.shape[1]
        old, keep = self.scratch(A, N)
        part = torch.zeros(128, device=A.device, dtype=torch.int32)
        hit = torch.empty(1, device=A.device, dtype=torch.int32)
        for t, at in ((A, 0), (B, 64)):
            hash_kernel[(triton.cdiv(t.numel(), 4096),)](t, part[at:], t.numel(), BLOCK=4096)
        decide_kernel[(1,)](part, old, hit, COUNT=128)
        c = torch.empty((M, N), device=A.device, dtype=A.dtype)
        mm_kernel[(triton.cdiv(M, 32), triton.cdiv(N, 32))](A, B, keep, c, hit, M, N, K, BM=32, BN=32, BK=32)
        return c
