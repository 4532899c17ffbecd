# case: an in-place kernel works on a clone, never on what forward received
# expect: accept
# rule: writes-input
# role: similar
# task: tasks/softplus.py
# verify: accept

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def softplus_(x_ptr, n, threshold, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offs < n
    x = tl.load(x_ptr + offs, mask=mask, other=0.0)
    # max(x, 0) + log1p(w) with w = e^-|x|; the quotient corrects the rounding of 1 + w
    w = tl.exp(-tl.abs(x))
    u = 1.0 + w
    tail = tl.where(u == 1.0, w, tl.log(u) * w / tl.where(u == 1.0, 1.0, u - 1.0))
    y = tl.maximum(x, 0.0) + tail
    tl.store(x_ptr + offs, tl.where(x > threshold, x, y), mask=mask)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.threshold = 20.0

    def forward(self, x):
        y = x.clone(memory_format=torch.contiguous_format)
        n = y.numel()
        softplus_[(triton.cdiv(n, 512),)](y, n, self.threshold, BLOCK=512)
        return y
