# case: the output is wrapped as a Parameter, whose class is not torch.Tensor
# expect: accept
# task: tasks/vector_add.py
# verify: reject tensor-subclass

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def add_kernel(x_ptr, y_ptr, out_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    m = i < n
    tl.store(out_ptr + i, tl.load(x_ptr + i, mask=m) + tl.load(y_ptr + i, mask=m), mask=m)


class ModelNew(nn.Module):
    def forward(self, x, y):
        out = nn.Parameter(torch.empty_like(x), requires_grad=False)
        add_kernel[(triton.cdiv(x.numel(), 1024),)](x, y, out, x.numel(), BLOCK=1024)
        return out
