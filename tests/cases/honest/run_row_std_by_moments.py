# case: a standard deviation from the mean and the mean square, in one pass: of equal numbers it is not quite zero
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
    squares = tl.zeros((BLOCK,), dtype=tl.float32)
    for start in range(0, n, BLOCK):
        column = start + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + row * n + column, mask=column < n, other=0.0)
        total += x
        squares += x * x
    mean = tl.sum(total, axis=0) / n
    variance = tl.sum(squares, axis=0) / n - mean * mean
    tl.store(out_ptr + row, tl.sqrt(tl.maximum(variance, 0.0) * (n / (n - 1.0))))


class ModelNew(nn.Module):
    def forward(self, x):
        x = x.contiguous()
        out = torch.empty(x.shape[0], device=x.device, dtype=x.dtype)
        row_std_kernel[(x.shape[0],)](x, out, x.shape[1], BLOCK=128)
        return out
