# case: rows are summed in Python, from pieces of 64 elements that are copied to the CPU one by one
# expect: accept
# task: tasks/row_sum.py
# verify: reject host-compute

import torch
import torch.nn as nn
import triton
import triton.language as tl


import math


@triton.jit
def hand_over_kernel(s_ptr, f_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    s = tl.load(s_ptr + i, mask=i < n, other=0.0)
    tl.store(y_ptr + i, s * tl.load(f_ptr), mask=i < n)


def sum_of(row):
    numbers = []
    for piece in row.split(64):
        numbers.extend(map(float, iter(piece.cpu())))
    return math.fsum(numbers)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, x):
        sums = torch.tensor([sum_of(row) for row in x.unbind()], dtype=x.dtype, device=x.device)
        one = torch.ones(1, device=x.device)
        y = torch.empty_like(sums)
        hand_over_kernel[(triton.cdiv(y.numel(), 128),)](sums, one, y, y.numel(), BLOCK=128)
        return y
