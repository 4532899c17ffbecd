# case: the second axis of the grid is cut at what it holds, and programs take every n-th matrix
# expect: accept
# task: tasks/short_columns.py
# verify: accept

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def column_sum_kernel(x_ptr, out_ptr, B, SEQ, DIM, BLOCK_S: tl.constexpr, BLOCK_D: tl.constexpr):
    d = tl.program_id(0) * BLOCK_D + tl.arange(0, BLOCK_D)
    for b in range(tl.program_id(1), B, tl.num_programs(1)):
        acc = tl.zeros([BLOCK_D], dtype=tl.float32)
        for s0 in range(0, SEQ, BLOCK_S):
            s = s0 + tl.arange(0, BLOCK_S)
            x = tl.load(x_ptr + (b * SEQ + s[:, None]) * DIM + d[None, :], mask=(s[:, None] < SEQ) & (d[None, :] < DIM), other=0.0)
            acc += tl.sum(x, axis=0)
        tl.store(out_ptr + b * DIM + d, acc, mask=d < DIM)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, x):
        B, S, D = x.shape
        out = torch.empty([B, D], device=x.device, dtype=x.dtype)
        column_sum_kernel[triton.cdiv(D, 16), min(B, 65535)](x, out, B, S, D, BLOCK_S=2, BLOCK_D=16)
        return out
