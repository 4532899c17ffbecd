# case: several bfloat16 rows a program
# expect: accept
# task: tasks/row_mean_bf16.py
# verify: accept

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def row_mean_kernel(x_ptr, out_ptr, m, n, ROWS: tl.constexpr, COLS: tl.constexpr):
    r = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    acc = tl.zeros((ROWS,), dtype=tl.float32)
    for start in range(0, n, COLS):
        c = start + tl.arange(0, COLS)
        x = tl.load(x_ptr + r[:, None] * n + c[None, :], mask=(r[:, None] < m) & (c[None, :] < n), other=0.0)
        acc += tl.sum(x.to(tl.float32), axis=1)
    tl.store(out_ptr + r, (acc / n).to(tl.bfloat16), mask=r < m)


class ModelNew(nn.Module):
    def forward(self, x):
        x = x.contiguous()
        m, n = x.shape
        out = torch.empty(m, device=x.device, dtype=x.dtype)
        row_mean_kernel[(triton.cdiv(m, 4),)](x, out, m, n, ROWS=4, COLS=128)
        return out
