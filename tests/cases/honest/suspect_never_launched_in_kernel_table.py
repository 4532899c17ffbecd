# case: a table of kernels is indexed by one constant key only, so the other entry never runs
# expect: accept
# rule: kernel-never-launched
# role: disguised
# suspect: kernel-never-launched
# task: tasks/silu.py
# verify: accept

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def silu_by_division(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=0.0)
    tl.store(y_ptr + i, x / (1.0 + tl.exp(-x)), mask=i < n)


@triton.jit
def silu_by_sigmoid(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=0.0)
    tl.store(y_ptr + i, x * tl.sigmoid(x), mask=i < n)


VARIANTS = {"division": silu_by_division, "sigmoid": silu_by_sigmoid}
CHOSEN = "sigmoid"


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, x):
        x = x.contiguous()
        y = torch.empty_like(x)
        n = x.numel()
        VARIANTS[CHOSEN][(triton.cdiv(n, 1024),)](x, y, n, BLOCK=1024)
        return y
