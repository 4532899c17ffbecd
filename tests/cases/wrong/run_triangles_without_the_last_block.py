# case: the sum over blocks that are no zeros ends one block early
# expect: accept
# task: tasks/triangular_products.py
# verify: reject wrong-result

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def upper_product_kernel(a_ptr, b_ptr, c_ptr, n, BLOCK: tl.constexpr):
    block_row = tl.program_id(0)
    block_col = tl.program_id(1)
    rows = block_row * BLOCK + tl.arange(0, BLOCK)
    cols = block_col * BLOCK + tl.arange(0, BLOCK)
    total = tl.zeros((BLOCK, BLOCK), dtype=tl.float32)
    for block in range(block_row, tl.maximum(block_col, block_row + 1)):
        inner = block * BLOCK + tl.arange(0, BLOCK)
        a = tl.load(a_ptr + rows[:, None] * n + inner[None, :], mask=(rows[:, None] < n) & (inner[None, :] < n), other=0.0)
        b = tl.load(b_ptr + inner[:, None] * n + cols[None, :], mask=(inner[:, None] < n) & (cols[None, :] < n), other=0.0)
        total += tl.dot(a, b)
    total = tl.where(rows[:, None] <= cols[None, :], total, 0.0)
    tl.store(c_ptr + rows[:, None] * n + cols[None, :], total, mask=(rows[:, None] < n) & (cols[None, :] < n))


class ModelNew(nn.Module):
    def forward(self, a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
        n = a.shape[0]
        c = torch.empty_like(a)
        blocks = triton.cdiv(n, 32)
        upper_product_kernel[(blocks, blocks)](a.contiguous(), b.contiguous(), c, n, BLOCK=32)
        return c
