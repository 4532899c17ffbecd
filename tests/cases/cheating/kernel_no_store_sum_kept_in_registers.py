# case: two kernels are launched, both reduce into local variables through a device helper and neither stores
# expect: reject kernel-without-store
# rule: kernel-without-store
# role: disguised

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def _accumulate(ptr, base, n, BLOCK: tl.constexpr):
    acc = tl.zeros((BLOCK,), dtype=tl.float32)
    for s in range(0, n, BLOCK):
        c = s + tl.arange(0, BLOCK)
        acc += tl.load(ptr + base + c, mask=c < n, other=0.0)
    return tl.sum(acc, axis=0)


@triton.jit
def row_total(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    out_ptr += row
    total = _accumulate(x_ptr, row * n, n, BLOCK)
    out_ptr = total


@triton.jit
def row_mean(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    mean = _accumulate(x_ptr, row * n, n, BLOCK) / n
    result = tl.where(mean == mean, mean, 0.0)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, x):
        rows, n = x.shape
        totals = x.new_zeros(rows)
        means = x.new_zeros(rows)
        for kernel, out in ((row_total, totals), (row_mean, means)):
            kernel[(rows,)](x, out, n, BLOCK=256)
        return totals, means
