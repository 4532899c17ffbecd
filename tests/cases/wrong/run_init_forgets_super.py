# case: parameters are assigned before nn.Module is initialised
# expect: accept
# task: tasks/scaled_add.py
# verify: reject init-error

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def scaled_add_kernel(x_ptr, y_ptr, w_ptr, out_ptr, n, cols, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    m = i < n
    w = tl.load(w_ptr + i % cols, mask=m)
    tl.store(out_ptr + i, tl.load(x_ptr + i, mask=m) + w * tl.load(y_ptr + i, mask=m), mask=m)


class ModelNew(nn.Module):
    def __init__(self, features):
        self.weight = nn.Parameter(torch.ones(features))
        super().__init__()

    def forward(self, x, y):
        out = torch.empty_like(x)
        n, cols = x.numel(), x.shape[1]
        scaled_add_kernel[(triton.cdiv(n, 512),)](x.contiguous(), y.contiguous(), self.weight, out, n, cols, BLOCK=512)
        return out
