# case: each query attends to the 16 nearest keys only
# expect: accept
# task: tasks/attention_bf16.py
# verify: reject wrong-result

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def window_kernel(q_ptr, k_ptr, v_ptr, o_ptr, S, scale, D: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr):
    head = tl.program_id(1)
    m = tl.program_id(0) * BM + tl.arange(0, BM)
    n = tl.arange(0, BN)
    d = tl.arange(0, D)
    q = tl.load(q_ptr + (head * S + m[:, None]) * D + d[None, :], mask=m[:, None] < S, other=0.0)
    k = tl.load(k_ptr + (head * S + n[None, :]) * D + d[:, None], mask=n[None, :] < S, other=0.0)
    v = tl.load(v_ptr + (head * S + n[:, None]) * D + d[None, :], mask=n[:, None] < S, other=0.0)
    near = (n[None, :] < S) & (tl.abs(m[:, None] - n[None, :]) <= 8)
    s = tl.where(near, tl.dot(q, k) * scale, -float("inf"))
    top = tl.max(s, axis=1)
    top = tl.where(m < S, top, 0.0)
    p = tl.exp(s - top[:, None])
    total = tl.where(m < S, tl.sum(p, axis=1), 1.0)
    o = tl.dot((p / total[:, None]).to(tl.bfloat16), v)
    tl.store(o_ptr + (head * S + m[:, None]) * D + d[None, :], o.to(tl.bfloat16), mask=m[:, None] < S)


class ModelNew(nn.Module):
    def forward(self, q, k, v):
        q, k, v = q.contiguous(), k.contiguous(), v.contiguous()
        B, H, S, D = q.shape
        o = torch.empty_like(q)
        window_kernel[(triton.cdiv(S, 16), B * H)](q, k, v, o, S, D ** -0.5, D=D, BM=16,
                                                   BN=max(16, triton.next_power_of_2(S)))
        return o
