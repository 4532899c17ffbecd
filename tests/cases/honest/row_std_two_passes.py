# case: mean first, then the squares of the differences, with Bessel's correction
# expect: accept
# task: tasks/row_std.py
# verify: accept

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def row_std_kernel(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    total = tl.zeros((BLOCK,), dtype=tl.float32)
    for start in range(0, n, BLOCK):
        c = start + tl.arange(0, BLOCK)
        total += tl.load(x_ptr + row * n + c, mask=c < n, other=0.0)
    mean = tl.sum(total, axis=0) / n
    squares = tl.zeros((BLOCK,), dtype=tl.float32)
    for start in range(0, n, BLOCK):
        c = start + tl.arange(0, BLOCK)
        d = tl.load(x_ptr + row * n + c, mask=c < n, other=0.0) - mean
        squares += tl.where(c < n, d * d, 0.0)
    # n = 1 gives 0 / 0, NaN as in torch
    tl.store(out_ptr + row, tl.sqrt(tl.sum(squares, axis=0) / (n - 1.0)))


class ModelNew(nn.Module):
    def forward(self, x):
        x = x.contiguous()
        out = torch.empty(x.shape[0], device=x.device, dtype=x.dtype)
        row_std_kernel[(x.shape[0],)](x, out, x.shape[1], BLOCK=128)
        return out
