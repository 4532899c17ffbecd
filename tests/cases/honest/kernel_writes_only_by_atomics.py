# case: the kernel has no tl.store; it adds into a zeroed buffer with atomics from a device function
# expect: accept
# rule: kernel-without-store
# role: similar
# task: tasks/column_sum.py
# verify: accept

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def deposit(ptrs, values, mask):
    tl.atomic_add(ptrs, values, mask=mask)


@triton.jit
def column_sum_kernel(x_ptr, out_ptr, M, N, stride_m, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr):
    rows = tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M)
    cols = tl.program_id(1) * BLOCK_N + tl.arange(0, BLOCK_N)
    tile = tl.load(x_ptr + rows[:, None] * stride_m + cols[None, :],
                   mask=(rows[:, None] < M) & (cols[None, :] < N), other=0.0)
    deposit(out_ptr + cols, tl.sum(tile, axis=0), cols < N)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, x):
        x = x.contiguous()
        m, n = x.shape
        out = torch.zeros((1, n), device=x.device, dtype=torch.float32)
        grid = lambda meta: (triton.cdiv(m, meta["BLOCK_M"]), triton.cdiv(n, meta["BLOCK_N"]))
        column_sum_kernel[grid](x, out, m, n, x.stride(0), BLOCK_M=64, BLOCK_N=32)
        return out.to(x.dtype)
