# case: the row's width is a constant of the file, as published
# expect: accept
# task: tasks/softmax.py
# verify: accept
# general: no

import torch
import torch.nn as nn
import triton
import triton.language as tl

COLUMNS = 781


@triton.jit
def softmax_kernel(x_ptr, y_ptr, N: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * N + c, mask=c < N, other=-float("inf"))
    e = tl.exp(x - tl.max(x, axis=0))
    tl.store(y_ptr + row * N + c, e / tl.sum(e, axis=0), mask=c < N)


class ModelNew(nn.Module):
    def forward(self, x):
        x = x.contiguous()
        y = torch.empty_like(x)
        softmax_kernel[(x.numel() // COLUMNS,)](x, y, N=COLUMNS, BLOCK=1024)
        return y
