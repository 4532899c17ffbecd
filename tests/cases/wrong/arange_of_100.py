# case: tl.arange over a hundred elements, which is no power of two
# expect: reject arange-size
# rule: arange-size
# role: caught

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def double_kernel(x_ptr, y_ptr, n):
    i = tl.program_id(0) * 100 + tl.arange(0, 100)
    x = tl.load(x_ptr + i, mask=i < n)
    tl.store(y_ptr + i, x + x, mask=i < n)


class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        double_kernel[(triton.cdiv(x.numel(), 100),)](x, y, x.numel())
        return y
