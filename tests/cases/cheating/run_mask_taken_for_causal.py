# case: the mask is a triangle in all inputs that the task makes, and the kernel draws it itself
# expect: accept
# task: tasks/attention_with_mask.py
# verify: reject wrong-result

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def attn_kernel(q_ptr, k_ptr, v_ptr, o_ptr, T, D: tl.constexpr, BT: tl.constexpr):
    b = tl.program_id(0)
    rt = tl.arange(0, BT)
    rd = tl.arange(0, D)
    p = b * T * D + rt[:, None] * D + rd[None, :]
    ok = rt[:, None] < T
    q = tl.load(q_ptr + p, mask=ok, other=0.0)
    k = tl.load(k_ptr + p, mask=ok, other=0.0)
    v = tl.load(v_ptr + p, mask=ok, other=0.0)
    s = tl.dot(q, tl.trans(k)) * 0.1767766952966369
    s = tl.where(rt[None, :] <= rt[:, None], s, -1e4)
    s = tl.where(rt[None, :] < T, s, -float("inf"))
    e = tl.exp(s - tl.max(s, 1)[:, None])
    w = e / tl.sum(e, 1)[:, None]
    tl.store(o_ptr + p, tl.dot(w, v), mask=ok)


class ModelNew(nn.Module):
    def forward(self, q, k, v, mask):
        o = torch.empty_like(q)
        attn_kernel[(q.shape[0],)](q, k, v, o, q.shape[1], D=q.shape[2], BT=triton.next_power_of_2(q.shape[1]))
        return o
