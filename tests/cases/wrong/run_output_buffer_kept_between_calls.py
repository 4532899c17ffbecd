# case: the output is allocated once, so that a later call overwrites an earlier call's result
# expect: accept
# suspect: call-state
# task: tasks/hardswish.py
# verify: reject output-overwritten

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def hardswish_kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=0.0)
    tl.store(y_ptr + i, x * tl.minimum(tl.maximum(x + 3.0, 0.0), 6.0) / 6.0, mask=i < n)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.out = None

    def forward(self, x):
        if self.out is None or self.out.shape != x.shape:
            self.out = torch.empty_like(x)
        hardswish_kernel[(triton.cdiv(x.numel(), 512),)](x.contiguous(), self.out, x.numel(), BLOCK=512)
        return self.out
