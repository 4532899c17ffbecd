# case: forward requires a mask that the task's three inputs do not include
# expect: reject signature-mismatch
# rule: signature-mismatch
# role: disguised
# task: tasks/attention.py
# static: off
# verify: reject run-error

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def attn_fwd(Q, K, V, O, T, scale, D: tl.constexpr, BQ: tl.constexpr, BK: tl.constexpr):
    head = tl.program_id(1).to(tl.int64) * T * D
    q_idx = tl.program_id(0) * BQ + tl.arange(0, BQ)
    d = tl.arange(0, D)
    q = tl.load(Q + head + q_idx[:, None] * D + d[None, :], mask=q_idx[:, None] < T, other=0.0)
    m_i = tl.full((BQ,), float("-inf"), tl.float32)
    l_i = tl.zeros((BQ,), tl.float32)
    acc = tl.zeros((BQ, D), tl.float32)
    for start in range(0, T, BK):
        k_idx = start + tl.arange(0, BK)
        k = tl.load(K + head + k_idx[None, :] * D + d[:, None], mask=k_idx[None, :] < T, other=0.0)
        s = tl.dot(q, k) * scale
        s = tl.where(k_idx[None, :] < T, s, float("-inf"))
        m_new = tl.maximum(m_i, tl.max(s, 1))
        p = tl.exp(s - m_new[:, None])
        alpha = tl.exp(m_i - m_new)
        l_i = l_i * alpha + tl.sum(p, 1)
        v = tl.load(V + head + k_idx[:, None] * D + d[None, :], mask=k_idx[:, None] < T, other=0.0)
        acc = acc * alpha[:, None] + tl.dot(p.to(v.dtype), v)
        m_i = m_new
    tl.store(O + head + q_idx[:, None] * D + d[None, :], acc / l_i[:, None], mask=q_idx[:, None] < T)


def attention(q, k, v):
    B, H, T, D = q.shape
    o = torch.empty_like(q)
    attn_fwd[(triton.cdiv(T, 32), B * H)](q, k, v, o, T, D ** -0.5, D=D, BQ=32, BK=32)
    return o


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, q, k, v, mask):
        assert mask is None or mask.shape[-1] == k.shape[-2]
        return attention(q, k, v)
