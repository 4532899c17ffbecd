# case: eight rows are computed, the others get a copy of them
# expect: accept
# task: tasks/log_softmax.py
# verify: reject wrong-result

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def log_softmax_kernel(x_ptr, y_ptr, rows, n, FIRST: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * n + c, mask=c < n, other=-float("inf"))
    top = tl.max(x, axis=0)
    y = x - top - tl.log(tl.sum(tl.exp(x - top), axis=0))
    for r in range(row, rows, FIRST):
        tl.store(y_ptr + r * n + c, y, mask=c < n)


class ModelNew(nn.Module):
    def __init__(self, dim: int = -1):
        super().__init__()

    def forward(self, x):
        rows, n = x.shape
        y = torch.empty_like(x)
        log_softmax_kernel[(min(8, rows),)](x, y, rows, n, FIRST=8, BLOCK=triton.next_power_of_2(n))
        return y
