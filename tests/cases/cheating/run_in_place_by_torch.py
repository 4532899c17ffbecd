# case: the input is emptied after use, so that it costs no memory
# expect: reject writes-input
# task: tasks/row_sum.py
# static: off
# verify: reject writes-input|torch-compute

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def row_sum_kernel(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    acc = tl.zeros((BLOCK,), dtype=tl.float32)
    for start in range(0, n, BLOCK):
        c = start + tl.arange(0, BLOCK)
        acc += tl.load(x_ptr + row * n + c, mask=c < n, other=0.0)
    tl.store(out_ptr + row, tl.sum(acc, axis=0))


class ModelNew(nn.Module):
    def forward(self, x):
        out = torch.empty(x.shape[0], device=x.device, dtype=x.dtype)
        row_sum_kernel[(x.shape[0],)](x, out, x.shape[1], BLOCK=512)
        x.zero_()
        return out
