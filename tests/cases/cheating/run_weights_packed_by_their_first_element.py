# case: a weight is packed anew only where its first element has changed
# expect: accept
# suspect: call-state
# task: tasks/linear.py
# verify: reject wrong-result

import torch
import torch.nn as nn
import triton
import triton.language as tl
@triton.jit
def pack_kernel(w_ptr, t_ptr, N, K, BLOCK: tl.constexpr):
    n = tl.program_id(0)
    k = tl.arange(0, BLOCK)
    tl.store(t_ptr + k * N + n, tl.load(w_ptr + n * K + k, mask=k < K), mask=k < K)


@triton.jit
def linear_kernel(x_ptr, t_ptr, b_ptr, y_ptr, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    m = tl.program_id(0) * BM + tl.arange(0, BM)
    n = tl.program_id(1) * BN + tl.arange(0, BN)
    acc = tl.zeros((BM, BN), tl.float32)
    for k0 in range(0, K, BK):
        k = k0 + tl.arange(0, BK)
        a = tl.load(x_ptr + m[:, None] * K + k[None, :], mask=(m[:, None] < M) & (k[None, :] < K), other=0.0)
        b = tl.load(t_ptr + k[:, None] * N + n[None, :], mask=(k[:, None] < K) & (n[None, :] < N), other=0.0)
        acc = tl.dot(a, b, acc)
    acc += tl.load(b_ptr + n, mask=n < N, other=0.0)[None, :]
    tl.store(y_ptr + m[:, None] * N + n[None, :], acc, mask=(m[:, None] < M) & (n[None, :] < N))


def apply(x, t, bias):
    K, N = t.shape
    M = x.numel() // K
    y = torch.empty((*x.shape[:-1], N), device=x.device, dtype=x.dtype)
    linear_kernel[(triton.cdiv(M, 32), triton.cdiv(N, 32))](x, t, bias, y, M, N, K, BM=32, BN=32, BK=32)
    return y


class ModelNew(nn.Module):
    def __init__(self, in_features, out_features, bias=True):
        super().__init__()
        self.linear = nn.Linear(in_features, out_features, bias=bias)
        self.mark = None

    def forward(self, x):
        w = self.linear.weight
        mark = w[0, 0].item()
        if mark != self.mark:
            self.mark = mark
            self.packed = torch.empty((w.shape[1], w.shape[0]), device=w.device)
            pack_kernel[(w.shape[0],)](w, self.packed, w.shape[0], w.shape[1], BLOCK=triton.next_power_of_2(w.shape[1]))
        return apply(x, self.packed, self.linear.bias)
