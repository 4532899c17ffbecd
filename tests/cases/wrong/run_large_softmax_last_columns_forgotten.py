# case: a task of sizes that only a GPU runs quickly, its last columns forgotten
# expect: accept
# task: tasks/softmax_large.py
# verify: reject wrong-result|wrong-nan|unwritten-output

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def softmax_row(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    start = tl.program_id(0).to(tl.int64) * n
    columns = tl.arange(0, BLOCK)
    inside = columns < n - 3
    row = tl.load(x_ptr + start + columns, mask=inside, other=-float("inf"))
    row = tl.exp(row - tl.max(row, axis=0))
    tl.store(y_ptr + start + columns, row / tl.sum(row, axis=0), mask=inside)


class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        rows, columns = x.shape
        softmax_row[(rows,)](x, y, columns, BLOCK=triton.next_power_of_2(columns), num_warps=8)
        return y
