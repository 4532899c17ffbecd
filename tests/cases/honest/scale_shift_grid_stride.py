# case: a fixed number of programs strides over the elements
# expect: accept
# task: tasks/scale_shift.py
# verify: accept

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def scale_shift_kernel(x_ptr, y_ptr, n, scale, shift, BLOCK: tl.constexpr):
    step = tl.num_programs(0) * BLOCK
    for start in range(tl.program_id(0) * BLOCK, n, step):
        offs = start + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + offs, mask=offs < n, other=0.0)
        tl.store(y_ptr + offs, tl.fma(x, scale, shift), mask=offs < n)


class ModelNew(nn.Module):
    def __init__(self, scale: float, shift: float):
        super().__init__()
        self.scale, self.shift = scale, shift

    def forward(self, x):
        x = x.contiguous()
        y = torch.empty_like(x)
        programs = min(7, triton.cdiv(x.numel(), 256))
        scale_shift_kernel[(programs,)](x, y, x.numel(), self.scale, self.shift, BLOCK=256)
        return y
