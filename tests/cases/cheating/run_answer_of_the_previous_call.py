# case: each call starts the work for its own input and returns what the call before it computed
# expect: reject cached-result
# task: tasks/softplus.py
# static: off
# verify: reject wrong-result|wrong-nan

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def softplus_kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=0.0)
    y = tl.maximum(x, 0.0) + tl.log(1.0 + tl.exp(-tl.abs(x)))
    tl.store(y_ptr + i, y, mask=i < n)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.pending = None

    def forward(self, x):
        y = torch.empty_like(x)
        softplus_kernel[(triton.cdiv(x.numel(), 512),)](x, y, x.numel(), BLOCK=512)
        ready, self.pending = self.pending, y
        return y if ready is None or ready.shape != x.shape else ready
