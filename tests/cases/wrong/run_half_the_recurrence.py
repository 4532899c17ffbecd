# case: a linear recurrence is cut into two halves, and the second half forgets the first's state
# expect: accept
# task: tasks/linear_recurrence.py
# verify: reject wrong-result

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def recurrence_kernel(x_ptr, a_ptr, y_ptr, S, W, half, BLOCK: tl.constexpr):
    b = tl.program_id(0)
    first = tl.program_id(1) * half
    w = tl.program_id(2) * BLOCK + tl.arange(0, BLOCK)
    h = tl.zeros((BLOCK,), dtype=tl.float32)
    for t in range(first, tl.minimum(first + half, S)):
        at = (b * S + t) * W + w
        x = tl.load(x_ptr + at, mask=w < W, other=0.0)
        a = tl.load(a_ptr + at, mask=w < W, other=0.0)
        h = tl.sigmoid(a) * h + x
        tl.store(y_ptr + at, h, mask=w < W)


class ModelNew(nn.Module):
    def forward(self, x, a):
        B, S, W = x.shape
        y = torch.empty_like(x)
        recurrence_kernel[(B, 2, triton.cdiv(W, 32))](x.contiguous(), a.contiguous(), y, S, W, (S + 1) // 2, BLOCK=32)
        return y
