# case: each block of a row starts its running sum from zero
# expect: accept
# task: tasks/cumsum.py
# verify: reject wrong-result

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def cumsum_blocks(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    block = tl.program_id(1)
    c = block * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * n + c, mask=c < n, other=0.0)
    tl.store(y_ptr + row * n + c, tl.cumsum(x, axis=0), mask=c < n)


class ModelNew(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.dim = dim

    def forward(self, x):
        x = x.contiguous()
        rows, n = x.shape
        y = torch.empty_like(x)
        cumsum_blocks[(rows, triton.cdiv(n, 256))](x, y, n, BLOCK=256)
        return y
