# case: an expanded input, whose rows are one element of memory each, is read as if it were dense
# expect: accept
# task: tasks/row_values_added.py
# verify: reject wrong-result | out-of-bounds

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def add_kernel(x_ptr, b_ptr, y_ptr, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x_ptr + at, mask=at < n, other=0.0) + tl.load(b_ptr + at, mask=at < n, other=0.0)
    tl.store(y_ptr + at, tl.maximum(v, 0.0), mask=at < n)


class ModelNew(nn.Module):
    def forward(self, x, b):
        y = torch.empty_like(x)
        add_kernel[(triton.cdiv(x.numel(), 1024),)](x, b, y, x.numel(), BLOCK=1024)
        return y
