# case: minima of slabs, then the minima of these
# expect: accept
# task: tasks/column_min.py
# verify: accept

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def slab_min_kernel(x_ptr, out_ptr, M, N, ROWS: tl.constexpr, BLOCK: tl.constexpr):
    slab = tl.program_id(0)
    c = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    r = slab * ROWS + tl.arange(0, ROWS)
    x = tl.load(x_ptr + r[:, None] * N + c[None, :], mask=(r[:, None] < M) & (c[None, :] < N), other=float("inf"))
    tl.store(out_ptr + slab * N + c, tl.min(x, axis=0), mask=c < N)


def slab_min(x, rows):
    M, N = x.shape
    slabs = triton.cdiv(M, rows)
    out = torch.empty((slabs, N), device=x.device, dtype=x.dtype)
    slab_min_kernel[(slabs, triton.cdiv(N, 32))](x, out, M, N, ROWS=rows, BLOCK=32)
    return out


class ModelNew(nn.Module):
    def forward(self, x):
        x = x.contiguous()
        while True:
            x = slab_min(x, 32)
            if x.shape[0] == 1:
                return x.view(-1)
