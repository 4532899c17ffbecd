# case: ranges that start off zero or are products of constants, all of them powers of two long
# expect: accept
# rule: arange-size
# role: similar
# task: tasks/row_mean_var.py
# verify: accept

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def mean_var_kernel(x_ptr, mean_ptr, var_ptr, n, stride, HALF: tl.constexpr):
    row = tl.program_id(0)
    s0 = tl.zeros((2 * HALF,), tl.float32)
    for start in range(0, n, 4 * HALF):
        lo = start + tl.arange(0, 2 * HALF)
        hi = start + tl.arange(2 * HALF, 4 * HALF)
        s0 += tl.load(x_ptr + row * stride + lo, mask=lo < n, other=0.0)
        s0 += tl.load(x_ptr + row * stride + hi, mask=hi < n, other=0.0)
    mean = tl.sum(s0) / n
    s1 = tl.zeros((128,), tl.float32)
    for start in range(0, n, 128):
        # a range of 96..224 is 128 long
        c = start - 96 + tl.arange(96, 224)
        d = tl.load(x_ptr + row * stride + c, mask=c < n, other=0.0) - mean
        s1 += tl.where(c < n, d * d, 0.0)
    tl.store(mean_ptr + row, mean)
    tl.store(var_ptr + row, tl.sum(s1) / n)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, x):
        x = x.contiguous()
        rows, n = x.shape
        stats = torch.empty((2, rows), device=x.device, dtype=x.dtype)
        mean_var_kernel[(rows,)](x, stats[0], stats[1], n, x.stride(0), HALF=64)
        return stats[0], stats[1]
