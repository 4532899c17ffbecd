# case: the formula is a jitted helper with a constexpr flag
# expect: accept
# task: tasks/hardswish.py
# verify: accept

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def hard_gate(x, SCALED: tl.constexpr):
    g = tl.minimum(tl.maximum(x + 3.0, 0.0), 6.0)
    if SCALED:
        g = g / 6.0
    return g


@triton.jit
def hardswish_kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offs, mask=offs < n, other=0.0)
    tl.store(y_ptr + offs, x * hard_gate(x, True), mask=offs < n)


class ModelNew(nn.Module):
    def forward(self, x):
        x = x.contiguous()
        y = torch.empty_like(x)
        hardswish_kernel[(triton.cdiv(x.numel(), 512),)](x, y, x.numel(), 512)
        return y
