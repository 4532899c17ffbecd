# case: attention in bfloat16 with a running softmax
# expect: accept
# task: tasks/attention_bf16.py
# verify: accept
# general: no

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def flash_kernel(q_ptr, k_ptr, v_ptr, o_ptr, S, scale, D: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr):
    head = tl.program_id(1).to(tl.int64)
    m = tl.program_id(0) * BM + tl.arange(0, BM)
    d = tl.arange(0, D)
    q = tl.load(q_ptr + (head * S + m[:, None]) * D + d[None, :], mask=m[:, None] < S, other=0.0)
    top = tl.full((BM,), -float("inf"), dtype=tl.float32)
    total = tl.zeros((BM,), dtype=tl.float32)
    acc = tl.zeros((BM, D), dtype=tl.float32)
    for start in range(0, S, BN):
        n = start + tl.arange(0, BN)
        k = tl.load(k_ptr + (head * S + n[None, :]) * D + d[:, None], mask=n[None, :] < S, other=0.0)
        v = tl.load(v_ptr + (head * S + n[:, None]) * D + d[None, :], mask=n[:, None] < S, other=0.0)
        s = tl.where(n[None, :] < S, tl.dot(q, k) * scale, -float("inf"))
        new_top = tl.maximum(top, tl.max(s, axis=1))
        p = tl.exp(s - new_top[:, None])
        fade = tl.exp(top - new_top)
        total = total * fade + tl.sum(p, axis=1)
        acc = tl.dot(p.to(tl.bfloat16), v, acc * fade[:, None])
        top = new_top
    tl.store(o_ptr + (head * S + m[:, None]) * D + d[None, :], (acc / total[:, None]).to(tl.bfloat16), mask=m[:, None] < S)


class ModelNew(nn.Module):
    def forward(self, q, k, v):
        q, k, v = q.contiguous(), k.contiguous(), v.contiguous()
        B, H, S, D = q.shape
        o = torch.empty_like(q)
        flash_kernel[(triton.cdiv(S, 16), B * H)](q, k, v, o, S, D ** -0.5, D=D, BM=16, BN=32)
        return o
