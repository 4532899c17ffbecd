# case: the recurrence as an associative scan of pairs
# expect: accept
# task: tasks/linear_recurrence.py
# verify: accept

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def combine(a1, h1, a2, h2):
    return a1 * a2, a2 * h1 + h2


@triton.jit
def recurrence_kernel(x_ptr, a_ptr, y_ptr, S, W, BS: tl.constexpr, BW: tl.constexpr):
    b = tl.program_id(0)
    s = tl.arange(0, BS)
    w = tl.program_id(1) * BW + tl.arange(0, BW)
    at = (b * S + s[:, None]) * W + w[None, :]
    m = (s[:, None] < S) & (w[None, :] < W)
    x = tl.load(x_ptr + at, mask=m, other=0.0)
    a = tl.sigmoid(tl.load(a_ptr + at, mask=m, other=0.0))
    _, h = tl.associative_scan((a, x), 0, combine)
    tl.store(y_ptr + at, h, mask=m)


class ModelNew(nn.Module):
    def forward(self, x, a):
        x, a = x.contiguous(), a.contiguous()
        B, S, W = x.shape
        y = torch.empty_like(x)
        recurrence_kernel[(B, triton.cdiv(W, 16))](x, a, y, S, W, BS=triton.next_power_of_2(S), BW=16)
        return y
