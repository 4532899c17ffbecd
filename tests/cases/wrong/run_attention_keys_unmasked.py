# case: keys past the end are zeros with a score of zero, and take part in the softmax
# expect: accept
# task: tasks/cross_attention.py
# verify: reject wrong-result

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def attention_kernel(q_ptr, k_ptr, v_ptr, o_ptr, S, T, scale, D: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr):
    bh = tl.program_id(1)
    m = tl.program_id(0) * BM + tl.arange(0, BM)
    d = tl.arange(0, D)
    q = tl.load(q_ptr + (bh * S + m[:, None]) * D + d[None, :], mask=m[:, None] < S, other=0.0)
    top = tl.full((BM,), -float("inf"), dtype=tl.float32)
    total = tl.zeros((BM,), dtype=tl.float32)
    acc = tl.zeros((BM, D), dtype=tl.float32)
    for start in range(0, T, BN):
        n = start + tl.arange(0, BN)
        k = tl.load(k_ptr + (bh * T + n[None, :]) * D + d[:, None], mask=n[None, :] < T, other=0.0)
        v = tl.load(v_ptr + (bh * T + n[:, None]) * D + d[None, :], mask=n[:, None] < T, other=0.0)
        s = tl.dot(q, k) * scale
        new_top = tl.maximum(top, tl.max(s, axis=1))
        p = tl.exp(s - new_top[:, None])
        fade = tl.exp(top - new_top)
        total = total * fade + tl.sum(p, axis=1)
        acc = acc * fade[:, None] + tl.dot(p, v)
        top = new_top
    tl.store(o_ptr + (bh * S + m[:, None]) * D + d[None, :], acc / total[:, None], mask=m[:, None] < S)


class ModelNew(nn.Module):
    def forward(self, q, k, v):
        q, k, v = q.contiguous(), k.contiguous(), v.contiguous()
        B, H, S, D = q.shape
        T = k.shape[2]
        o = torch.empty_like(q)
        attention_kernel[(triton.cdiv(S, 16), B * H)](q, k, v, o, S, T, D ** -0.5, D=D, BM=16, BN=32)
        return o
