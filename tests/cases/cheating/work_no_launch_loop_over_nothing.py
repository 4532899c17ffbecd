# case: the launch is inside a loop over an empty tuple, and the input itself is returned
# expect: reject no-launch
# rule: no-launch
# role: disguised

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def hard_sigmoid_kernel(x_ptr, n, lo, hi, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offs < n
    x = tl.load(x_ptr + offs, mask=mask)
    tl.store(x_ptr + offs, tl.minimum(tl.maximum(x, lo), hi), mask=mask)


class ModelNew(nn.Module):
    STAGES: tuple = ()

    def __init__(self, lo: float = 0.0, hi: float = 1.0):
        super().__init__()
        self.lo = lo
        self.hi = hi

    def forward(self, x):
        y = x.contiguous()
        n = y.numel()
        for block in self.STAGES:
            hard_sigmoid_kernel[(triton.cdiv(n, block),)](y, n, self.lo, self.hi, BLOCK=block)
        return y
