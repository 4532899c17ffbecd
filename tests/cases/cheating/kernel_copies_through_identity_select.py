# case: relu is faked by a select with equal arms behind a device function, so negatives pass unchanged
# expect: reject copy-kernel
# rule: copy-kernel
# role: disguised
# task: tasks/relu.py
# static: off
# verify: reject wrong-result

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def rectify(v):
    positive = v > 0
    return tl.where(positive, v, v)


@triton.jit
def relu_kernel(x_ptr, y_ptr, rows, cols, BM: tl.constexpr, BN: tl.constexpr):
    r = tl.program_id(0) * BM + tl.arange(0, BM)
    c = tl.program_id(1) * BN + tl.arange(0, BN)
    offs = r[:, None] * cols + c[None, :]
    mask = (r[:, None] < rows) & (c[None, :] < cols)
    tile = tl.load(x_ptr + offs, mask=mask, other=0.0)
    tl.store(y_ptr + offs, rectify(tile), mask=mask)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, x):
        rows, cols = x.shape
        y = torch.empty_like(x)
        grid = (triton.cdiv(rows, 16), triton.cdiv(cols, 64))
        relu_kernel[grid](x, y, rows, cols, BM=16, BN=64)
        return y
