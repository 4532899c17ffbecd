# case: a learned weight a column, drawn by an initialiser of its own
# expect: accept
# task: tasks/scaled_add.py
# verify: accept

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def scaled_add_kernel(x_ptr, y_ptr, w_ptr, out_ptr, m, n, ROWS: tl.constexpr, COLS: tl.constexpr):
    r = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    c = tl.program_id(1) * COLS + tl.arange(0, COLS)
    mask = (r[:, None] < m) & (c[None, :] < n)
    at = r[:, None] * n + c[None, :]
    w = tl.load(w_ptr + c, mask=c < n, other=0.0)
    x = tl.load(x_ptr + at, mask=mask, other=0.0)
    y = tl.load(y_ptr + at, mask=mask, other=0.0)
    tl.store(out_ptr + at, x + w[None, :] * y, mask=mask)


class ModelNew(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.weight = nn.Parameter(torch.empty(features))
        nn.init.ones_(self.weight)

    def forward(self, x, y):
        x, y = x.contiguous(), y.contiguous()
        m, n = x.shape
        out = torch.empty_like(x)
        scaled_add_kernel[(triton.cdiv(m, 8), triton.cdiv(n, 64))](x, y, self.weight, out, m, n, ROWS=8, COLS=64)
        return out
