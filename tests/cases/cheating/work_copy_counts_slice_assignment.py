# case: the concatenation is two slice assignments; a kernel touches only the first column
# expect: reject copy-counts
# rule: copy-counts
# role: disguised
# task: tasks/concat.py
# static: off
# verify: reject copy-counts|torch-compute

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def concat_kernel(x_ptr, out_ptr, rows, n1, total, BLOCK: tl.constexpr):
    r = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    m = r < rows
    tl.store(out_ptr + r * total, tl.load(x_ptr + r * n1, mask=m), mask=m)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, x, y):
        rows, n1 = x.shape
        total = n1 + y.shape[1]
        out = x.new_empty(rows, total)
        out[:, 1:n1] = x[:, 1:]
        out[:, n1:] = y
        concat_kernel[(triton.cdiv(rows, 128),)](x, out, rows, n1, total, BLOCK=128)
        return out
