# case: kernels launched in a loop: every pass folds the rows eight to one into the next buffer
# expect: accept
# task: tasks/column_sum.py
# verify: accept

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def fold_rows(src, dst, rows, cols, FOLD: tl.constexpr, BLOCK: tl.constexpr):
    out_row = tl.program_id(0)
    c = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    acc = tl.zeros((BLOCK,), dtype=tl.float32)
    for i in tl.static_range(FOLD):
        r = out_row * FOLD + i
        acc += tl.load(src + r * cols + c, mask=(r < rows) & (c < cols), other=0.0)
    tl.store(dst + out_row * cols + c, acc, mask=c < cols)


class ModelNew(nn.Module):
    FOLD = 8

    def __init__(self):
        super().__init__()

    def forward(self, x):
        current = x.contiguous()
        rows, cols = current.shape
        while True:
            folded = triton.cdiv(rows, self.FOLD)
            nxt = torch.empty((folded, cols), device=x.device, dtype=torch.float32)
            fold_rows[(folded, triton.cdiv(cols, 64))](current, nxt, rows, cols, FOLD=self.FOLD, BLOCK=64)
            current, rows = nxt, folded
            if rows == 1:
                break
        return current
