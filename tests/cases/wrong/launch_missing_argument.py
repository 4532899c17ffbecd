# case: the launch leaves the element count out
# expect: reject launch-arguments
# rule: launch-arguments
# role: caught

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def rsqrt_kernel(x_ptr, y_ptr, n_elements, eps, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    m = i < n_elements
    x = tl.load(x_ptr + i, mask=m, other=1.0)
    tl.store(y_ptr + i, tl.rsqrt(x + eps), mask=m)


class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        rsqrt_kernel[(triton.cdiv(x.numel(), 1024),)](x, y, eps=1e-6, BLOCK=1024)
        return y
