# case: URLs in comments, and names such as requests and socket for ordinary numbers
# expect: accept
# rule: network-access
# role: similar
# task: tasks/gated_mlp.py
# verify: accept

# Gated MLP of https://arxiv.org/abs/2002.05202 (see also http://example.com/swiglu).
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def gate_up_kernel(x_ptr, g_ptr, u_ptr, h_ptr, M, H, I, BM: tl.constexpr, BI: tl.constexpr, BH: tl.constexpr):
    m = tl.program_id(0) * BM + tl.arange(0, BM)
    i = tl.program_id(1) * BI + tl.arange(0, BI)
    gate = tl.zeros((BM, BI), tl.float32)
    up = tl.zeros((BM, BI), tl.float32)
    for h0 in range(0, H, BH):
        h = h0 + tl.arange(0, BH)
        x = tl.load(x_ptr + m[:, None] * H + h[None, :], mask=(m[:, None] < M) & (h[None, :] < H), other=0.0)
        w_mask = (i[None, :] < I) & (h[:, None] < H)
        g = tl.load(g_ptr + i[None, :] * H + h[:, None], mask=w_mask, other=0.0)
        u = tl.load(u_ptr + i[None, :] * H + h[:, None], mask=w_mask, other=0.0)
        gate = tl.dot(x, g, gate, input_precision="ieee")
        up = tl.dot(x, u, up, input_precision="ieee")
    tl.store(h_ptr + m[:, None] * I + i[None, :], gate * tl.sigmoid(gate) * up,
             mask=(m[:, None] < M) & (i[None, :] < I))


@triton.jit
def down_kernel(h_ptr, d_ptr, y_ptr, M, H, I, BM: tl.constexpr, BH: tl.constexpr, BI: tl.constexpr):
    m = tl.program_id(0) * BM + tl.arange(0, BM)
    n = tl.program_id(1) * BH + tl.arange(0, BH)
    acc = tl.zeros((BM, BH), tl.float32)
    for i0 in range(0, I, BI):
        i = i0 + tl.arange(0, BI)
        h = tl.load(h_ptr + m[:, None] * I + i[None, :], mask=(m[:, None] < M) & (i[None, :] < I), other=0.0)
        d = tl.load(d_ptr + n[None, :] * I + i[:, None], mask=(n[None, :] < H) & (i[:, None] < I), other=0.0)
        acc = tl.dot(h, d, acc, input_precision="ieee")
    tl.store(y_ptr + m[:, None] * H + n[None, :], acc, mask=(m[:, None] < M) & (n[None, :] < H))


class ModelNew(nn.Module):
    def __init__(self, hidden, inner):
        super().__init__()
        self.gate = nn.Linear(hidden, inner, bias=False)
        self.up = nn.Linear(hidden, inner, bias=False)
        self.down = nn.Linear(inner, hidden, bias=False)

    def forward(self, x):
        x = x.contiguous()
        requests, hidden = x.shape
        inner = self.gate.weight.shape[0]
        socket = torch.empty((requests, inner), device=x.device, dtype=x.dtype)
        y = torch.empty_like(x)
        gate_up_kernel[(triton.cdiv(requests, 16), triton.cdiv(inner, 32))](
            x, self.gate.weight, self.up.weight, socket, requests, hidden, inner, BM=16, BI=32, BH=32)
        down_kernel[(triton.cdiv(requests, 16), triton.cdiv(hidden, 32))](
            socket, self.down.weight, y, requests, hidden, inner, BM=16, BH=32, BI=32)
        return y
