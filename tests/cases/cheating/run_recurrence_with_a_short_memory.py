# case: the recurrence forgets what is more than eight steps back, as random gates would nearly make it
# expect: accept
# task: tasks/linear_recurrence.py
# verify: reject wrong-result

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def windowed_kernel(x_ptr, a_ptr, y_ptr, S, W, STEPS: tl.constexpr, BLOCK: tl.constexpr):
    b = tl.program_id(0)
    t = tl.program_id(1)
    w = tl.program_id(2) * BLOCK + tl.arange(0, BLOCK)
    h = tl.zeros((BLOCK,), dtype=tl.float32)
    for k in tl.static_range(STEPS):
        at = t - STEPS + 1 + k
        m = (w < W) & (at >= 0)
        offs = (b * S + at) * W + w
        gate = tl.sigmoid(tl.load(a_ptr + offs, mask=m, other=0.0))
        h = gate * h + tl.load(x_ptr + offs, mask=m, other=0.0)
    tl.store(y_ptr + (b * S + t) * W + w, h, mask=w < W)


class ModelNew(nn.Module):
    def forward(self, x, a):
        B, S, W = x.shape
        y = torch.empty_like(x)
        windowed_kernel[(B, S, triton.cdiv(W, 32))](x.contiguous(), a.contiguous(), y, S, W, STEPS=8, BLOCK=32)
        return y
