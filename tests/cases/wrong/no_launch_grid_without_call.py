# case: the kernel is subscripted with the grid and never called
# expect: reject no-launch
# rule: no-launch
# role: disguised

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def cube_kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n)
    tl.store(y_ptr + i, x * x * x, mask=i < n)


class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        launch = cube_kernel[(triton.cdiv(x.numel(), 512),)]
        args = (x, y, x.numel(), 512)
        return y
