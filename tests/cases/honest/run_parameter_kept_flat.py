# case: a bias that the reference holds as a column is held flat, and drawn by the same constructor
# expect: accept
# task: tasks/column_bias.py
# verify: accept

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def add_bias(x_ptr, b_ptr, y_ptr, n, L, total, BLOCK: tl.constexpr):
    o = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    m = o < total
    b = tl.load(b_ptr + (o // L) % n, mask=m, other=0.0)
    tl.store(y_ptr + o, tl.load(x_ptr + o, mask=m, other=0.0) + b, mask=m)


class ModelNew(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.bias = nn.Parameter(torch.randn(n, 1).view(-1))  # the same draw, kept flat

    def forward(self, x):
        x = x.contiguous()
        y = torch.empty_like(x)
        total = x.numel()
        add_bias[(triton.cdiv(total, 1024),)](x, self.bias, y, x.shape[1], x.shape[2], total, BLOCK=1024)
        return y
