# case: marks of an unresolved merge stand around the grid
# expect: reject syntax-error
# rule: syntax-error
# role: disguised

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def neg_kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y_ptr + i, -tl.load(x_ptr + i, mask=i < n), mask=i < n)


class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
<<<<<<< HEAD
        grid = (triton.cdiv(x.numel(), 1024),)
=======
        grid = (triton.cdiv(x.numel(), 512),)
>>>>>>> tune-block-size
        neg_kernel[grid](x, y, x.numel(), BLOCK=512)
        return y
