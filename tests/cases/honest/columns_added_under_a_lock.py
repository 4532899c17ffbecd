# case: programs take turns at the output under a spin lock
# expect: accept
# task: tasks/column_sum.py
# verify: accept

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def column_sum_kernel(x_ptr, out_ptr, lock_ptr, M, N, ROWS: tl.constexpr, BLOCK: tl.constexpr):
    r = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    tile = tl.program_id(1)
    c = tile * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + r[:, None] * N + c[None, :], mask=(r[:, None] < M) & (c[None, :] < N), other=0.0)
    part = tl.sum(x, axis=0)
    while tl.atomic_cas(lock_ptr + tile, 0, 1) == 1:
        pass
    have = tl.load(out_ptr + c, mask=c < N, other=0.0)
    tl.store(out_ptr + c, have + part, mask=c < N)
    tl.debug_barrier()
    tl.atomic_xchg(lock_ptr + tile, 0)


class ModelNew(nn.Module):
    def forward(self, x):
        x = x.contiguous()
        M, N = x.shape
        out = torch.zeros((1, N), device=x.device, dtype=x.dtype)
        tiles = triton.cdiv(N, 64)
        locks = torch.zeros(tiles, device=x.device, dtype=torch.int32)
        column_sum_kernel[(triton.cdiv(M, 32), tiles)](x, out, locks, M, N, ROWS=32, BLOCK=64)
        return out
