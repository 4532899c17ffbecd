# case: the kernel is called like a function
# expect: reject kernel-called-without-grid
# rule: kernel-called-without-grid
# role: caught

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def max_kernel(a_ptr, b_ptr, o_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    a = tl.load(a_ptr + i, mask=i < n)
    b = tl.load(b_ptr + i, mask=i < n)
    tl.store(o_ptr + i, tl.maximum(a, b), mask=i < n)


class ModelNew(nn.Module):
    def forward(self, a, b):
        o = torch.empty_like(a)
        max_kernel(a, b, o, a.numel(), BLOCK=1024)
        return o
