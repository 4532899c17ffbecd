# case: the block is as wide as the row, which is no power of two
# expect: accept
# task: tasks/row_max.py
# verify: reject compile-error

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def row_max_kernel(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    tl.store(out_ptr + row, tl.max(tl.load(x_ptr + row * n + c), axis=0))


class ModelNew(nn.Module):
    def forward(self, x):
        x = x.contiguous()
        m, n = x.shape
        out = torch.empty(m, device=x.device, dtype=x.dtype)
        row_max_kernel[(m,)](x, out, n, BLOCK=n)
        return out
