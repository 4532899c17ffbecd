# case: bfloat16 RMS norm; the grid is a lambda and the kernel sits in an attribute of the module
# expect: accept
# task: tasks/rms_norm_bf16.py
# verify: accept

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def _rms(X, W, Y, M, N, EPS: tl.constexpr, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr):
    m = tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M)
    sq = tl.zeros([BLOCK_M], tl.float32)
    for n0 in range(0, N, BLOCK_N):
        n = n0 + tl.arange(0, BLOCK_N)
        x = tl.load(X + m[:, None] * N + n[None, :], mask=(m < M)[:, None] & (n < N)[None, :], other=0.0).to(tl.float32)
        sq += tl.sum(x * x, axis=1)
    inv = tl.rsqrt(sq / N + EPS)
    for n0 in range(0, N, BLOCK_N):
        n = n0 + tl.arange(0, BLOCK_N)
        mask = (m < M)[:, None] & (n < N)[None, :]
        x = tl.load(X + m[:, None] * N + n[None, :], mask=mask, other=0.0).to(tl.float32)
        w = tl.load(W + n, mask=n < N, other=0.0).to(tl.float32)
        h = (x * inv[:, None]).to(tl.bfloat16).to(tl.float32)
        tl.store(Y + m[:, None] * N + n[None, :], (h * w[None, :]).to(tl.bfloat16), mask=mask)


class ModelNew(nn.Module):
    def __init__(self, features, eps):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(features, dtype=torch.bfloat16))
        self.eps = eps
        self._kernel = _rms

    def forward(self, x):
        rows = x.contiguous().view(-1, x.shape[-1])
        m, n = rows.shape
        y = torch.empty_like(rows)
        grid = lambda meta: (triton.cdiv(m, meta["BLOCK_M"]),)
        self._kernel[grid](rows, self.weight, y, m, n, EPS=self.eps, BLOCK_M=4, BLOCK_N=128)
        return y.reshape(x.shape)
