# case: the grid counts column tiles first, the kernel row tiles
# expect: accept
# task: tasks/transpose.py
# verify: reject wrong-result|wrong-nan|unwritten-output

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def transpose_kernel(x_ptr, y_ptr, M, N, B: tl.constexpr):
    m = tl.program_id(0) * B + tl.arange(0, B)
    n = tl.program_id(1) * B + tl.arange(0, B)
    inside = (m[:, None] < M) & (n[None, :] < N)
    x = tl.load(x_ptr + m[:, None] * N + n[None, :], mask=inside, other=0.0)
    tl.store(y_ptr + n[None, :] * M + m[:, None], x, mask=inside)


class ModelNew(nn.Module):
    def forward(self, x):
        M, N = x.shape
        y = torch.empty((N, M), device=x.device, dtype=x.dtype)
        transpose_kernel[(triton.cdiv(N, 32), triton.cdiv(M, 32))](x, y, M, N, B=32)
        return y
