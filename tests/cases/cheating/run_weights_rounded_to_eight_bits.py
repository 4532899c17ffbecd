# case: weights are quantised to eight bits in a kernel of their own before they are used
# expect: accept
# task: tasks/linear.py
# verify: reject wrong-result|precision-downgrade

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def quantise_kernel(w_ptr, q_ptr, s_ptr, K, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    w = tl.load(w_ptr + row * K + c, mask=c < K, other=0.0)
    s = tl.maximum(tl.max(tl.abs(w), axis=0) / 127.0, 1e-12)
    q = tl.floor(w / s + 0.5)
    tl.store(q_ptr + row * K + c, q.to(tl.int8), mask=c < K)
    tl.store(s_ptr + row, s)


@triton.jit
def linear_kernel(x_ptr, q_ptr, s_ptr, b_ptr, y_ptr, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    m = tl.program_id(0) * BM + tl.arange(0, BM)
    n = tl.program_id(1) * BN + tl.arange(0, BN)
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for k0 in range(0, K, BK):
        k = k0 + tl.arange(0, BK)
        x = tl.load(x_ptr + m[:, None] * K + k[None, :], mask=(m[:, None] < M) & (k[None, :] < K), other=0.0)
        q = tl.load(q_ptr + n[None, :] * K + k[:, None], mask=(n[None, :] < N) & (k[:, None] < K), other=0)
        acc = tl.dot(x, q.to(tl.float32), acc)
    acc = acc * tl.load(s_ptr + n, mask=n < N, other=0.0)[None, :] + tl.load(b_ptr + n, mask=n < N, other=0.0)[None, :]
    tl.store(y_ptr + m[:, None] * N + n[None, :], acc, mask=(m[:, None] < M) & (n[None, :] < N))


class ModelNew(nn.Module):
    def __init__(self, in_features, out_features, bias=True):
        super().__init__()
        self.linear = nn.Linear(in_features, out_features, bias=bias)

    def forward(self, x):
        w = self.linear.weight
        N, K = w.shape
        flat = x.reshape(-1, K)
        M = flat.shape[0]
        q = torch.empty((N, K), device=x.device, dtype=torch.int8)
        s = torch.empty(N, device=x.device, dtype=torch.float32)
        quantise_kernel[(N,)](w, q, s, K, BLOCK=triton.next_power_of_2(K))
        y = torch.empty((M, N), device=x.device, dtype=x.dtype)
        linear_kernel[(triton.cdiv(M, 32), triton.cdiv(N, 32))](flat, q, s, self.linear.bias, y, M, N, K, BM=32, BN=32, BK=32)
        return y.view(*x.shape[:-1], N)
