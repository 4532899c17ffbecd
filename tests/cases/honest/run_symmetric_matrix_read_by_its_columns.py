# case: a matrix that the task promises to be symmetric is read transposed
# expect: accept
# task: tasks/symmetric_products.py
# verify: accept

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def product_kernel(a_ptr, b_ptr, c_ptr, n, BLOCK: tl.constexpr):
    rows = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    cols = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    total = tl.zeros((BLOCK, BLOCK), dtype=tl.float32)
    for start in range(0, n, BLOCK):
        inner = start + tl.arange(0, BLOCK)
        mirrored = tl.load(a_ptr + inner[:, None] * n + rows[None, :], mask=(inner[:, None] < n) & (rows[None, :] < n), other=0.0)
        b = tl.load(b_ptr + inner[:, None] * n + cols[None, :], mask=(inner[:, None] < n) & (cols[None, :] < n), other=0.0)
        total += tl.dot(tl.trans(mirrored), b)
    tl.store(c_ptr + rows[:, None] * n + cols[None, :], total, mask=(rows[:, None] < n) & (cols[None, :] < n))


class ModelNew(nn.Module):
    def forward(self, a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
        n = a.shape[0]
        c = torch.empty_like(b)
        blocks = triton.cdiv(n, 32)
        product_kernel[(blocks, blocks)](a.contiguous(), b.contiguous(), c, n, BLOCK=32)
        return c
