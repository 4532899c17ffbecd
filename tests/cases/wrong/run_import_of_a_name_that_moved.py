# case: a name that this Triton's math module does not have is imported
# expect: reject unknown-triton-api
# task: tasks/tanh.py
# static: off
# verify: reject import-error

import torch
import torch.nn as nn
import triton
import triton.language as tl
from triton.language.math import fast_tanhf


@triton.jit
def tanh_kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=0.0)
    tl.store(y_ptr + i, fast_tanhf(x), mask=i < n)


class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        tanh_kernel[(triton.cdiv(x.numel(), 512),)](x, y, x.numel(), BLOCK=512)
        return y
