# case: argmax over wide rows with a running best value and index; ties go to the first
# expect: accept
# task: tasks/argmax.py
# verify: accept

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def argmax_kernel(x_ptr, idx_ptr, M, N, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr):
    rows = tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M)
    best = tl.full((BLOCK_M,), float("-inf"), tl.float32)
    where = tl.zeros((BLOCK_M,), tl.int64)
    for start in range(0, N, BLOCK_N):
        cols = start + tl.arange(0, BLOCK_N)
        x = tl.load(x_ptr + rows[:, None] * N + cols[None, :], mask=(rows[:, None] < M) & (cols[None, :] < N),
                    other=float("-inf"))
        value, local = tl.max(x, axis=1, return_indices=True)
        better = value > best
        where = tl.where(better, start + local.to(tl.int64), where)
        best = tl.where(better, value, best)
    tl.store(idx_ptr + rows, where, mask=rows < M)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, x):
        x = x.contiguous()
        m, n = x.size()
        index = torch.empty(m, dtype=torch.long, device=x.device)
        block_n = min(128, triton.next_power_of_2(n))
        argmax_kernel[(triton.cdiv(m, 8),)](x, index, m, n, BLOCK_M=8, BLOCK_N=block_n)
        return index
