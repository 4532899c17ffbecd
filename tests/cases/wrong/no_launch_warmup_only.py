# case: forward calls warmup, which compiles and runs nothing
# expect: reject no-launch
# rule: no-launch
# role: disguised

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def log2_kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y_ptr + i, tl.log2(tl.load(x_ptr + i, mask=i < n, other=1.0)), mask=i < n)


class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        grid = (triton.cdiv(x.numel(), 1024),)
        log2_kernel.warmup(x, y, x.numel(), BLOCK=1024, grid=grid)
        return y
