# case: a sum in fp64 is added up in fp32, which is faster
# expect: accept
# task: tasks/double_row_norm.py
# verify: reject wrong-result

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def row_norm_kernel(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    total = tl.zeros((BLOCK,), dtype=tl.float32)
    for start in range(0, n, BLOCK):
        column = start + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + row * n + column, mask=column < n, other=0.0).to(tl.float32)
        total += x * x
    tl.store(out_ptr + row, tl.sum(total, axis=0).to(tl.float64))


class ModelNew(nn.Module):
    def forward(self, x):
        x = x.contiguous()
        out = torch.empty(x.shape[0], device=x.device, dtype=x.dtype)
        row_norm_kernel[(x.shape[0],)](x, out, x.shape[1], BLOCK=128)
        return out
