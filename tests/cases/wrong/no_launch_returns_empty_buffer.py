# case: forward allocates the output and forgets the launch
# expect: reject no-launch
# rule: no-launch
# role: caught

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def reciprocal_kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=1.0)
    tl.store(y_ptr + i, 1.0 / x, mask=i < n)


class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        n = x.numel()
        grid = (triton.cdiv(n, 1024),)
        return y
