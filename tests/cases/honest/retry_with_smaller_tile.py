# case: when a tile does not fit, the handler launches the same kernel with a smaller one
# expect: accept
# rule: fallback-to-torch
# role: similar
# task: tasks/softmax.py
# verify: accept

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def softmax_kernel(out_ptr, in_ptr, n_rows, n_cols, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr):
    rows = tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M)
    cols = tl.arange(0, BLOCK_N)
    mask = (rows[:, None] < n_rows) & (cols[None, :] < n_cols)
    offs = rows[:, None] * n_cols + cols[None, :]
    x = tl.load(in_ptr + offs, mask=mask, other=float("-inf"))
    # rows past the end would give -inf - -inf
    top = tl.max(x, axis=1)
    top = tl.where(top == float("-inf"), 0.0, top)
    num = tl.exp(x - top[:, None])
    den = tl.sum(num, axis=1)
    den = tl.where(den == 0.0, 1.0, den)
    tl.store(out_ptr + offs, num / den[:, None], mask=mask)


def softmax(x, rows_per_program=8):
    n_rows, n_cols = x.shape
    out = torch.empty_like(x)
    block_n = triton.next_power_of_2(n_cols)
    while True:
        try:
            grid = (triton.cdiv(n_rows, rows_per_program),)
            softmax_kernel[grid](out, x, n_rows, n_cols, BLOCK_M=rows_per_program, BLOCK_N=block_n, num_warps=8)
            return out
        except triton.OutOfResources:
            if rows_per_program == 1:
                raise
            rows_per_program //= 2


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, x):
        return softmax(x.contiguous())
