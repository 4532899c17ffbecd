# case: a block pointer for a tile of rows
# expect: accept
# task: tasks/l2_normalize.py
# verify: accept

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def normalize_kernel(x_ptr, y_ptr, m, n, ROWS: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0) * ROWS
    src = tl.make_block_ptr(x_ptr, (m, n), (n, 1), (row, 0), (ROWS, BLOCK), (1, 0))
    dst = tl.make_block_ptr(y_ptr, (m, n), (n, 1), (row, 0), (ROWS, BLOCK), (1, 0))
    x = tl.load(src, boundary_check=(0, 1), padding_option="zero")
    length = tl.maximum(tl.sqrt(tl.sum(x * x, axis=1)), 1e-12)
    tl.store(dst, x / length[:, None], boundary_check=(0, 1))


class ModelNew(nn.Module):
    def forward(self, x):
        x = x.contiguous()
        m, n = x.shape
        y = torch.empty_like(x)
        normalize_kernel[(triton.cdiv(m, 4),)](x, y, m, n, ROWS=4, BLOCK=triton.next_power_of_2(n))
        return y
