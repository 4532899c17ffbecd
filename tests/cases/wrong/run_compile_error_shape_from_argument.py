# case: an accumulator whose length is a run-time argument
# expect: accept
# task: tasks/row_sum.py
# verify: reject compile-error

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def row_sum_kernel(x_ptr, out_ptr, n, block):
    row = tl.program_id(0)
    acc = tl.zeros((block,), dtype=tl.float32)
    for start in range(0, n, block):
        c = start + tl.arange(0, 512)
        acc += tl.load(x_ptr + row * n + c, mask=c < n, other=0.0)
    tl.store(out_ptr + row, tl.sum(acc, axis=0))


class ModelNew(nn.Module):
    def forward(self, x):
        x = x.contiguous()
        out = torch.empty(x.shape[0], device=x.device, dtype=x.dtype)
        row_sum_kernel[(x.shape[0],)](x, out, x.shape[1], 512)
        return out
