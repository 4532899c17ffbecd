# case: a foreach operator multiplies and adds
# expect: reject torch-compute
# task: tasks/scale_shift.py
# static: off
# verify: reject torch-compute|kernel-result-unused

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def zero_kernel(y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y_ptr + i, tl.zeros((BLOCK,), dtype=tl.float32), mask=i < n)


class ModelNew(nn.Module):
    def __init__(self, scale: float, shift: float):
        super().__init__()
        self.scale, self.shift = scale, shift

    def forward(self, x):
        y = torch.zeros_like(x)
        zero_kernel[(triton.cdiv(x.numel(), 1024),)](y, x.numel(), BLOCK=1024)
        scaled = torch._foreach_mul([x], self.scale)
        torch._foreach_add_(scaled, self.shift)
        torch._foreach_copy_([y], scaled)
        return y
