# case: each lane walks along a half precision row and adds in half precision
# expect: accept
# task: tasks/row_sum_fp16.py
# verify: reject wrong-result|wrong-nan|precision-downgrade

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def row_sum_kernel(x_ptr, out_ptr, m, n, BLOCK: tl.constexpr):
    rows = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    acc = tl.zeros((BLOCK,), dtype=tl.float16)
    for c in range(n):
        acc += tl.load(x_ptr + rows * n + c, mask=rows < m, other=0.0)
    tl.store(out_ptr + rows, acc, mask=rows < m)


class ModelNew(nn.Module):
    def forward(self, x):
        x = x.contiguous()
        m, n = x.shape
        out = torch.empty(m, device=x.device, dtype=x.dtype)
        row_sum_kernel[(triton.cdiv(m, 32),)](x, out, m, n, BLOCK=32)
        return out
