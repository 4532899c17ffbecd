# case: everything is NaN, which compares neither too large nor too small
# expect: accept
# task: tasks/scaled_add.py
# verify: reject wrong-nan

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def add_kernel(x_ptr, y_ptr, w_ptr, out_ptr, n, cols, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    m = i < n
    s = tl.load(x_ptr + i, mask=m, other=0.0) + tl.load(w_ptr + i % cols, mask=m, other=0.0) * tl.load(y_ptr + i, mask=m, other=0.0)
    zero = s - s
    tl.store(out_ptr + i, zero / zero, mask=m)


class ModelNew(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(features))

    def forward(self, x, y):
        out = torch.empty_like(x)
        add_kernel[(triton.cdiv(x.numel(), 512),)](x, y, self.weight, out, x.numel(), x.shape[1], BLOCK=512)
        return out
