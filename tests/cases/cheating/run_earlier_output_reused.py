# case: two buffers take turns, so that an output changes two calls later
# expect: reject call-counter
# task: tasks/swiglu.py
# static: off
# verify: reject output-overwritten

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def swiglu_kernel(x_ptr, y_ptr, n, inner, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    m = i < n
    at = (i // inner) * 2 * inner + i % inner
    g = tl.load(x_ptr + at, mask=m, other=0.0)
    u = tl.load(x_ptr + at + inner, mask=m, other=0.0)
    tl.store(y_ptr + i, g * tl.sigmoid(g) * u, mask=m)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.buffers, self.turn = [], 0

    def forward(self, x):
        x = x.contiguous()
        rows, inner = x.shape[0], x.shape[1] // 2
        if not self.buffers or self.buffers[0].shape != (rows, inner):
            self.buffers = [torch.empty((rows, inner), device=x.device, dtype=x.dtype) for _ in range(2)]
        self.turn = 1 - self.turn
        y = self.buffers[self.turn]
        swiglu_kernel[(triton.cdiv(y.numel(), 512),)](x, y, y.numel(), inner, BLOCK=512)
        return y
