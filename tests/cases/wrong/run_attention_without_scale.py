# case: scores are not divided by the square root of the head size
# expect: accept
# task: tasks/attention_bf16.py
# verify: reject wrong-result

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def attention_kernel(q_ptr, k_ptr, v_ptr, o_ptr, S, D: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr):
    bh = tl.program_id(1)
    m = tl.program_id(0) * BM + tl.arange(0, BM)
    n = tl.arange(0, BN)
    d = tl.arange(0, D)
    q = tl.load(q_ptr + (bh * S + m[:, None]) * D + d[None, :], mask=m[:, None] < S, other=0.0)
    k = tl.load(k_ptr + (bh * S + n[None, :]) * D + d[:, None], mask=n[None, :] < S, other=0.0)
    v = tl.load(v_ptr + (bh * S + n[:, None]) * D + d[None, :], mask=n[:, None] < S, other=0.0)
    s = tl.where(n[None, :] < S, tl.dot(q, k), -float("inf"))
    p = tl.exp(s - tl.max(s, axis=1)[:, None])
    p = p / tl.sum(p, axis=1)[:, None]
    o = tl.dot(p.to(tl.bfloat16), v)
    tl.store(o_ptr + (bh * S + m[:, None]) * D + d[None, :], o, mask=m[:, None] < S)


class ModelNew(nn.Module):
    def forward(self, q, k, v):
        B, H, S, D = q.shape
        o = torch.empty_like(q)
        attention_kernel[(triton.cdiv(S, 16), B * H)](
            q.contiguous(), k.contiguous(), v.contiguous(), o, S, D=D, BM=16, BN=max(16, triton.next_power_of_2(S)))
        return o
