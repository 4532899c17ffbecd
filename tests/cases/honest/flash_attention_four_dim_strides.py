# case: flash attention over four-dimensional strides with exp2 and a running maximum
# expect: accept
# task: tasks/attention.py
# verify: accept

import torch
import torch.nn as nn
import triton
import triton.language as tl

LOG2E = 1.4426950408889634


@triton.jit
def _attn_inner(acc, l_i, m_i, q, k_base, v_base, stride_kn, stride_kd, stride_vn, stride_vd, N_CTX, D,
                BLOCK_N: tl.constexpr, BLOCK_D: tl.constexpr):
    offs_d = tl.arange(0, BLOCK_D)
    for start_n in range(0, N_CTX, BLOCK_N):
        offs_n = start_n + tl.arange(0, BLOCK_N)
        kt = tl.load(k_base + offs_n[None, :] * stride_kn + offs_d[:, None] * stride_kd,
                     mask=(offs_n[None, :] < N_CTX) & (offs_d[:, None] < D), other=0.0)
        qk = tl.dot(q, kt, input_precision="ieee")
        qk = tl.where(offs_n[None, :] < N_CTX, qk, -1.0e30)
        m_ij = tl.maximum(m_i, tl.max(qk, 1))
        p = tl.math.exp2(qk - m_ij[:, None])
        alpha = tl.math.exp2(m_i - m_ij)
        l_i = l_i * alpha + tl.sum(p, 1)
        v = tl.load(v_base + offs_n[:, None] * stride_vn + offs_d[None, :] * stride_vd,
                    mask=(offs_n[:, None] < N_CTX) & (offs_d[None, :] < D), other=0.0)
        acc = tl.dot(p.to(v.dtype), v, acc * alpha[:, None], input_precision="ieee")
        m_i = m_ij
    return acc, l_i, m_i


@triton.jit
def _attn_fwd(Q, K, V, O, qk_scale, H, M_CTX, N_CTX, D,
              qz, qh, qm, qd, kz, kh, kn, kd, vz, vh, vn, vd, oz, oh, om, od,
              BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_D: tl.constexpr):
    start_m = tl.program_id(0)
    z = tl.program_id(1) // H
    h = tl.program_id(1) % H
    offs_m = start_m * BLOCK_M + tl.arange(0, BLOCK_M)
    offs_d = tl.arange(0, BLOCK_D)
    mask = (offs_m[:, None] < M_CTX) & (offs_d[None, :] < D)
    q = tl.load(Q + z * qz + h * qh + offs_m[:, None] * qm + offs_d[None, :] * qd, mask=mask, other=0.0)
    q = (q * qk_scale).to(Q.dtype.element_ty)
    m_i = tl.zeros([BLOCK_M], dtype=tl.float32) - 1.0e30
    l_i = tl.zeros([BLOCK_M], dtype=tl.float32)
    acc = tl.zeros([BLOCK_M, BLOCK_D], dtype=tl.float32)
    acc, l_i, m_i = _attn_inner(acc, l_i, m_i, q, K + z * kz + h * kh, V + z * vz + h * vh, kn, kd, vn, vd,
                                N_CTX, D, BLOCK_N, BLOCK_D)
    acc = acc / l_i[:, None]
    tl.store(O + z * oz + h * oh + offs_m[:, None] * om + offs_d[None, :] * od, acc.to(O.dtype.element_ty), mask=mask)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, q, k, v):
        B, H, M, D = q.shape
        N = k.shape[-2]
        o = torch.empty_like(q)
        scale = D ** -0.5 * LOG2E
        grid = (triton.cdiv(M, 32), B * H)
        _attn_fwd[grid](q, k, v, o, scale, H, M, N, D, *q.stride(), *k.stride(), *v.stride(), *o.stride(),
                        BLOCK_M=32, BLOCK_N=16, BLOCK_D=max(16, triton.next_power_of_2(D)))
        return o
