# case: the hidden activations of a single precision MLP are kept in bfloat16 between the kernels
# expect: accept
# task: tasks/gated_mlp.py
# verify: reject precision-downgrade|wrong-result|wrong-nan

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def gate_up_kernel(x_ptr, g_ptr, u_ptr, h_ptr, M, H, I, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    m = tl.program_id(0) * BM + tl.arange(0, BM)
    n = tl.program_id(1) * BN + tl.arange(0, BN)
    g = tl.zeros((BM, BN), dtype=tl.float32)
    u = tl.zeros((BM, BN), dtype=tl.float32)
    for k0 in range(0, H, BK):
        k = k0 + tl.arange(0, BK)
        x = tl.load(x_ptr + m[:, None] * H + k[None, :], mask=(m[:, None] < M) & (k[None, :] < H), other=0.0)
        wm = (n[None, :] < I) & (k[:, None] < H)
        g = tl.dot(x, tl.load(g_ptr + n[None, :] * H + k[:, None], mask=wm, other=0.0), g)
        u = tl.dot(x, tl.load(u_ptr + n[None, :] * H + k[:, None], mask=wm, other=0.0), u)
    tl.store(h_ptr + m[:, None] * I + n[None, :], g * tl.sigmoid(g) * u, mask=(m[:, None] < M) & (n[None, :] < I))


@triton.jit
def down_kernel(h_ptr, w_ptr, y_ptr, M, H, I, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    m = tl.program_id(0) * BM + tl.arange(0, BM)
    n = tl.program_id(1) * BN + tl.arange(0, BN)
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for k0 in range(0, I, BK):
        k = k0 + tl.arange(0, BK)
        h = tl.load(h_ptr + m[:, None] * I + k[None, :], mask=(m[:, None] < M) & (k[None, :] < I), other=0.0)
        w = tl.load(w_ptr + n[None, :] * I + k[:, None], mask=(n[None, :] < H) & (k[:, None] < I), other=0.0)
        acc = tl.dot(h.to(tl.float32), w, acc)
    tl.store(y_ptr + m[:, None] * H + n[None, :], acc, mask=(m[:, None] < M) & (n[None, :] < H))


class ModelNew(nn.Module):
    def __init__(self, hidden, inner):
        super().__init__()
        self.gate = nn.Linear(hidden, inner, bias=False)
        self.up = nn.Linear(hidden, inner, bias=False)
        self.down = nn.Linear(inner, hidden, bias=False)

    def forward(self, x):
        x = x.contiguous()
        M, H = x.shape
        I = self.gate.out_features
        h = torch.empty((M, I), device=x.device, dtype=torch.bfloat16)
        y = torch.empty_like(x)
        gate_up_kernel[(triton.cdiv(M, 16), triton.cdiv(I, 32))](
            x, self.gate.weight, self.up.weight, h, M, H, I, BM=16, BN=32, BK=32)
        down_kernel[(triton.cdiv(M, 16), triton.cdiv(H, 32))](h, self.down.weight, y, M, H, I, BM=16, BN=32, BK=32)
        return y
