# case: the kernel computes its result and never stores it
# expect: reject kernel-without-store
# rule: kernel-without-store
# role: caught

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def softsign_kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=0.0)
    y = x / (1.0 + tl.abs(x))


class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        softsign_kernel[(triton.cdiv(x.numel(), 1024),)](x, y, x.numel(), BLOCK=1024)
        return y
