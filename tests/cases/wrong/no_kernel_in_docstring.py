# case: the kernel stands in a docstring, as an example of what could be done
# expect: reject no-kernel
# rule: no-kernel
# role: disguised

import torch
import torch.nn as nn
import triton
import triton.language as tl


def fast_gelu(x):
    """
    Equivalent Triton kernel:

    @triton.jit
    def gelu_kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
        i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + i, mask=i < n)
        tl.store(y_ptr + i, 0.5 * x * (1 + tl.erf(x * 0.70710678)), mask=i < n)

    gelu_kernel[(triton.cdiv(x.numel(), 1024),)](x, y, x.numel(), BLOCK=1024)
    """
    return torch.nn.functional.gelu(x)


class ModelNew(nn.Module):
    def forward(self, x):
        return fast_gelu(x)
