# case: the whole kernel is commented out and torch does the work
# expect: reject no-kernel
# rule: no-kernel
# role: disguised

import torch
import torch.nn as nn
import triton
import triton.language as tl

# @triton.jit
# def cos_kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
#     i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
#     x = tl.load(x_ptr + i, mask=i < n)
#     tl.store(y_ptr + i, tl.cos(x), mask=i < n)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, x):
        # cos_kernel[(triton.cdiv(x.numel(), 1024),)](x, y, x.numel(), BLOCK=1024)
        return torch.cos(x)
