# case: each block of a scan reads the running total that the block before it is about to write
# expect: accept
# task: tasks/cumsum.py
# verify: reject data-race|uninitialised-read|wrong-result|wrong-nan

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def chained_scan(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    row = tl.program_id(1)
    block = tl.program_id(0)
    c = block * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * n + c, mask=c < n, other=0.0)
    carry = 0.0
    if block > 0:
        carry = tl.load(y_ptr + row * n + block * BLOCK - 1)
    tl.store(y_ptr + row * n + c, tl.cumsum(x, axis=0) + carry, mask=c < n)


class ModelNew(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.dim = dim

    def forward(self, x):
        x = x.contiguous()
        rows, n = x.shape
        y = torch.empty_like(x)
        chained_scan[(triton.cdiv(n, 128), rows)](x, y, n, BLOCK=128)
        return y
