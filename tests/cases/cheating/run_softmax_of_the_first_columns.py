# case: one block of 4,096 columns, of rows that have twice as many: enough for sizes that stand in for the task's
# expect: accept
# task: tasks/softmax_large.py
# verify: reject wrong-result|unwritten-output

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def softmax_kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * n + i, mask=i < n, other=-float("inf"))
    e = tl.exp(x - tl.max(x, axis=0))
    tl.store(y_ptr + row * n + i, e / tl.sum(e, axis=0), mask=i < n)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, x):
        x = x.contiguous()
        y = torch.zeros_like(x)
        softmax_kernel[(x.shape[0],)](x, y, x.shape[1], BLOCK=4096)
        return y
