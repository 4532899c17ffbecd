# case: a table at module level is indexed past its end when the file is imported
# expect: accept
# task: tasks/silu.py
# verify: reject import-error

import torch
import torch.nn as nn
import triton
import triton.language as tl

BLOCKS = [256, 512, 1024]
DEFAULT_BLOCK = BLOCKS[3]


@triton.jit
def silu_kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=0.0)
    tl.store(y_ptr + i, x * tl.sigmoid(x), mask=i < n)


class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        silu_kernel[(triton.cdiv(x.numel(), DEFAULT_BLOCK),)](x, y, x.numel(), BLOCK=DEFAULT_BLOCK)
        return y
