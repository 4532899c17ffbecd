# case: scores are scaled behind the product in tf32, where torch scales its operands before it, so that both cut other bits off
# expect: accept
# task: tasks/attention.py
# verify: accept

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def _attn_fwd(Q, K, V, Out, sm_scale, stride_b, stride_s, N_CTX, D,
              BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_DMODEL: tl.constexpr):
    start_m = tl.program_id(0)
    off_bh = tl.program_id(1)
    offs_m = start_m * BLOCK_M + tl.arange(0, BLOCK_M)
    offs_n = tl.arange(0, BLOCK_N)
    offs_d = tl.arange(0, BLOCK_DMODEL)
    base = off_bh.to(tl.int64) * stride_b
    q = tl.load(Q + base + offs_m[:, None] * stride_s + offs_d[None, :],
                mask=(offs_m[:, None] < N_CTX) & (offs_d[None, :] < D), other=0.0)
    m_i = tl.zeros([BLOCK_M], dtype=tl.float32) - float("inf")
    l_i = tl.zeros([BLOCK_M], dtype=tl.float32)
    acc = tl.zeros([BLOCK_M, BLOCK_DMODEL], dtype=tl.float32)
    qk_scale = sm_scale * 1.44269504  # 1 / log(2)
    for start_n in range(0, N_CTX, BLOCK_N):
        start_n = tl.multiple_of(start_n, BLOCK_N)
        cols = start_n + offs_n
        k = tl.load(K + base + cols[None, :] * stride_s + offs_d[:, None],
                    mask=(cols[None, :] < N_CTX) & (offs_d[:, None] < D), other=0.0)
        qk = tl.dot(q, k) * qk_scale
        qk = tl.where(cols[None, :] < N_CTX, qk, -float("inf"))
        m_ij = tl.maximum(m_i, tl.max(qk, 1))
        p = tl.math.exp2(qk - m_ij[:, None])
        alpha = tl.math.exp2(m_i - m_ij)
        l_i = l_i * alpha + tl.sum(p, 1)
        acc = acc * alpha[:, None]
        v = tl.load(V + base + cols[:, None] * stride_s + offs_d[None, :],
                    mask=(cols[:, None] < N_CTX) & (offs_d[None, :] < D), other=0.0)
        acc = tl.dot(p, v, acc)
        m_i = m_ij
    acc = acc / l_i[:, None]
    tl.store(Out + base + offs_m[:, None] * stride_s + offs_d[None, :], acc,
             mask=(offs_m[:, None] < N_CTX) & (offs_d[None, :] < D))


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, Q, K, V):
        B, H, S, D = Q.shape
        q = Q.contiguous().view(B * H, S, D)
        k = K.contiguous().view(B * H, S, D)
        v = V.contiguous().view(B * H, S, D)
        o = torch.empty_like(q)
        grid = (triton.cdiv(S, 16), B * H, 1)
        _attn_fwd[grid](q, k, v, o, D ** -0.5, q.stride(0), q.stride(1), S, D,
                        BLOCK_M=16, BLOCK_N=16, BLOCK_DMODEL=triton.next_power_of_2(D), num_warps=4, num_stages=1)
        return o.view(B, H, S, D)
