# case: forward receives a planner object and asks it for the block size
# expect: accept
# rule: unresolved-call
# role: disguised
# suspect: unresolved-call

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def clip_kernel(x_ptr, y_ptr, n, lo, hi, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x_ptr + i, mask=i < n)
    tl.store(y_ptr + i, tl.minimum(tl.maximum(v, lo), hi), mask=i < n)


class ModelNew(nn.Module):
    def __init__(self, lo: float, hi: float):
        super().__init__()
        self.lo, self.hi = lo, hi

    def forward(self, x, planner=None):
        n = x.numel()
        block = 1024
        if planner is not None:
            block = planner.choose_block(n)
        y = torch.empty_like(x)
        clip_kernel[(triton.cdiv(n, block),)](x, y, n, self.lo, self.hi, BLOCK=block)
        return y
