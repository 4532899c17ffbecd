# case: each program walks through time for its channels
# expect: accept
# task: tasks/linear_recurrence.py
# verify: accept

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def recurrence_kernel(x_ptr, a_ptr, y_ptr, S, W, BLOCK: tl.constexpr):
    b = tl.program_id(0)
    w = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    m = w < W
    h = tl.zeros((BLOCK,), dtype=tl.float32)
    for t in range(S):
        at = (b * S + t) * W + w
        gate = tl.sigmoid(tl.load(a_ptr + at, mask=m, other=0.0))
        h = gate * h + tl.load(x_ptr + at, mask=m, other=0.0)
        tl.store(y_ptr + at, h, mask=m)


class ModelNew(nn.Module):
    def forward(self, x, a):
        x, a = x.contiguous(), a.contiguous()
        B, S, W = x.shape
        y = torch.empty_like(x)
        recurrence_kernel[(B, triton.cdiv(W, 32))](x, a, y, S, W, BLOCK=32)
        return y
