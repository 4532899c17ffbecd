# case: the mask says <= where it must say <, so one element past the end is read and written
# expect: accept
# task: tasks/silu.py
# verify: reject out-of-bounds

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def silu_kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = offs <= n
    x = tl.load(x_ptr + offs, mask=inside, other=0.0)
    tl.store(y_ptr + offs, x * tl.sigmoid(x), mask=inside)


class ModelNew(nn.Module):
    def forward(self, x):
        x = x.contiguous()
        y = torch.empty_like(x)
        silu_kernel[(triton.cdiv(x.numel(), 512),)](x, y, x.numel(), BLOCK=512)
        return y
