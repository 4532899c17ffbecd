# case: the kernel's mask uses n_element, the parameter is called n_elements
# expect: reject undefined-name
# rule: undefined-name
# role: caught

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def sqrt_kernel(x_ptr, y_ptr, n_elements, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offs < n_element
    x = tl.load(x_ptr + offs, mask=mask, other=0.0)
    tl.store(y_ptr + offs, tl.sqrt(x), mask=mask)


class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        sqrt_kernel[(triton.cdiv(x.numel(), 1024),)](x, y, x.numel(), BLOCK=1024)
        return y
