# case: numpy computes a square root inside the kernel
# expect: reject torch-in-kernel
# rule: torch-in-kernel
# role: disguised

import numpy as np
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def hypot_kernel(a_ptr, b_ptr, o_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    a = tl.load(a_ptr + i, mask=i < n)
    b = tl.load(b_ptr + i, mask=i < n)
    tl.store(o_ptr + i, np.sqrt(a * a + b * b), mask=i < n)


class ModelNew(nn.Module):
    def forward(self, a, b):
        o = torch.empty_like(a)
        hypot_kernel[(triton.cdiv(a.numel(), 512),)](a, b, o, a.numel(), BLOCK=512)
        return o
