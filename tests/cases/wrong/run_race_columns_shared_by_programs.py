# case: several programs add their rows to the same columns by load and store
# expect: accept
# task: tasks/column_sum.py
# verify: reject data-race|wrong-result

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def column_sum_kernel(x_ptr, out_ptr, M, N, ROWS: tl.constexpr, BLOCK: tl.constexpr):
    r0 = tl.program_id(0) * ROWS
    c = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    acc = tl.zeros((BLOCK,), dtype=tl.float32)
    for i in range(ROWS):
        acc += tl.load(x_ptr + (r0 + i) * N + c, mask=(c < N) & (r0 + i < M), other=0.0)
    have = tl.load(out_ptr + c, mask=c < N, other=0.0)
    tl.store(out_ptr + c, have + acc, mask=c < N)


class ModelNew(nn.Module):
    def forward(self, x):
        x = x.contiguous()
        M, N = x.shape
        out = torch.zeros((1, N), device=x.device, dtype=x.dtype)
        column_sum_kernel[(triton.cdiv(M, 32), triton.cdiv(N, 64))](x, out, M, N, ROWS=32, BLOCK=64)
        return out
