# case: a zero-width space splits a name that looks whole
# expect: reject syntax-error
# rule: syntax-error
# role: disguised

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def tanh_kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offs < n
    x = tl.load(x_ptr + offs, mask=mask, other=0.0)
    # tanh(x) = 2 * sigmoid(2x) - 1
    tl.store(y_ptr + offs, 2.0 * tl.sigmoid(2.0 * x) - 1.0, mask=mask)


def tanh(x):
    y = torch.empty_like(x)
    tanh_kernel[(triton.cdiv(x.numel(), 512),)](x, y, x.numel(), BLOCK=512)
    return y


class ModelNew(nn.Module):
    def forward(self, x):
        return ta​nh(x)
