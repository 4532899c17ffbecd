# case: elements are handled in eights; right at the task's 5000, wrong at lengths that nobody listed
# expect: accept
# task: tasks/vector_add.py
# verify: accept
# general: no

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def add_eights(x_ptr, y_ptr, out_ptr, groups, BLOCK: tl.constexpr):
    g = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    offs = g[:, None] * 8 + tl.arange(0, 8)[None, :]
    m = (g < groups)[:, None]
    x = tl.load(x_ptr + offs, mask=m, other=0.0)
    y = tl.load(y_ptr + offs, mask=m, other=0.0)
    tl.store(out_ptr + offs, x + y, mask=m)


class ModelNew(nn.Module):
    def forward(self, x, y):
        out = torch.empty_like(x)
        groups = x.numel() // 8
        add_eights[(triton.cdiv(groups, 128),)](x.contiguous(), y.contiguous(), out, groups, BLOCK=128)
        return out
