# case: the docstring of the kernel is opened with three quotes and closed with two
# expect: reject syntax-error
# rule: syntax-error
# role: disguised

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def floor_kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    """Rounds down, elementwise.""
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n)
    tl.store(y_ptr + i, tl.floor(x), mask=i < n)


class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        floor_kernel[(triton.cdiv(x.numel(), 512),)](x, y, x.numel(), BLOCK=512)
        return y
