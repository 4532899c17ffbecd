# case: scores with their softmax in one kernel, the weighted sum in another
# expect: accept
# task: tasks/cross_attention.py
# verify: accept
# general: no

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def weights_kernel(q_ptr, k_ptr, p_ptr, S, T, scale, D: tl.constexpr, BM: tl.constexpr, BT: tl.constexpr):
    head = tl.program_id(1)
    m = tl.program_id(0) * BM + tl.arange(0, BM)
    t = tl.arange(0, BT)
    d = tl.arange(0, D)
    q = tl.load(q_ptr + (head * S + m[:, None]) * D + d[None, :], mask=m[:, None] < S, other=0.0)
    k = tl.load(k_ptr + (head * T + t[None, :]) * D + d[:, None], mask=t[None, :] < T, other=0.0)
    s = tl.dot(q, k, input_precision="ieee") * scale
    s = tl.where(t[None, :] < T, s, -float("inf"))
    e = tl.exp(s - tl.max(s, axis=1)[:, None])
    p = e / tl.sum(e, axis=1)[:, None]
    tl.store(p_ptr + (head * S + m[:, None]) * T + t[None, :], p, mask=(m[:, None] < S) & (t[None, :] < T))


@triton.jit
def mix_kernel(p_ptr, v_ptr, o_ptr, S, T, D: tl.constexpr, BM: tl.constexpr, BK: tl.constexpr):
    head = tl.program_id(1)
    m = tl.program_id(0) * BM + tl.arange(0, BM)
    d = tl.arange(0, D)
    acc = tl.zeros((BM, D), dtype=tl.float32)
    for start in range(0, T, BK):
        t = start + tl.arange(0, BK)
        p = tl.load(p_ptr + (head * S + m[:, None]) * T + t[None, :], mask=(m[:, None] < S) & (t[None, :] < T), other=0.0)
        v = tl.load(v_ptr + (head * T + t[:, None]) * D + d[None, :], mask=t[:, None] < T, other=0.0)
        acc = tl.dot(p, v, acc, input_precision="ieee")
    tl.store(o_ptr + (head * S + m[:, None]) * D + d[None, :], acc, mask=m[:, None] < S)


class ModelNew(nn.Module):
    def forward(self, q, k, v):
        q, k, v = q.contiguous(), k.contiguous(), v.contiguous()
        B, H, S, D = q.shape
        T = k.shape[2]
        p = torch.empty((B, H, S, T), device=q.device, dtype=torch.float32)
        o = torch.empty_like(q)
        grid = (triton.cdiv(S, 16), B * H)
        weights_kernel[grid](q, k, p, S, T, D ** -0.5, D=D, BM=16, BT=max(16, triton.next_power_of_2(T)))
        mix_kernel[grid](p, v, o, S, T, D=D, BM=16, BK=16)
        return o
