# case: nested helper modules that subclass nn.Linear for its parameters and run kernels in forward
# expect: accept
# task: tasks/gated_mlp.py
# verify: accept

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def linear_kernel(x_ptr, w_ptr, y_ptr, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    m = tl.program_id(0) * BM + tl.arange(0, BM)
    n = tl.program_id(1) * BN + tl.arange(0, BN)
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for k0 in range(0, K, BK):
        k = k0 + tl.arange(0, BK)
        x = tl.load(x_ptr + m[:, None] * K + k[None, :], mask=(m[:, None] < M) & (k[None, :] < K), other=0.0)
        w = tl.load(w_ptr + n[None, :] * K + k[:, None], mask=(n[None, :] < N) & (k[:, None] < K), other=0.0)
        acc += tl.dot(x, w, input_precision="ieee")
    tl.store(y_ptr + m[:, None] * N + n[None, :], acc, mask=(m[:, None] < M) & (n[None, :] < N))


@triton.jit
def silu_mul_kernel(g_ptr, u_ptr, out_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    g = tl.load(g_ptr + i, mask=i < n, other=0.0)
    u = tl.load(u_ptr + i, mask=i < n, other=0.0)
    tl.store(out_ptr + i, g * tl.sigmoid(g) * u, mask=i < n)


class TritonLinear(nn.Linear):
    def forward(self, x):
        m, k = x.shape
        n = self.out_features
        y = torch.empty((m, n), device=x.device, dtype=x.dtype)
        linear_kernel[(triton.cdiv(m, 16), triton.cdiv(n, 64))](x, self.weight, y, m, n, k, BM=16, BN=64, BK=32)
        return y


class SiluMul(nn.Module):
    def forward(self, gate, up):
        out = torch.empty_like(gate)
        n = out.numel()
        silu_mul_kernel[(triton.cdiv(n, 512),)](gate, up, out, n, BLOCK=512)
        return out


class ModelNew(nn.Module):
    def __init__(self, hidden, inner):
        super().__init__()
        self.gate = TritonLinear(hidden, inner, bias=False)
        self.up = TritonLinear(hidden, inner, bias=False)
        self.down = TritonLinear(inner, hidden, bias=False)
        self.act = SiluMul()

    def forward(self, x):
        x = x.contiguous()
        return self.down(self.act(self.gate(x), self.up(x)))
