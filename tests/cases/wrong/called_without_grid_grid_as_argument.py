# case: the grid is passed as an argument, as CUDA bindings of other kinds take it
# expect: reject kernel-called-without-grid
# rule: kernel-called-without-grid
# role: disguised

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def relu6_kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n)
    tl.store(y_ptr + i, tl.minimum(tl.maximum(x, 0.0), 6.0), mask=i < n)


class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        n = x.numel()
        grid = (triton.cdiv(n, 256), 1, 1)
        relu6_kernel(grid, x, y, n, BLOCK=256)
        return y
