# case: much arithmetic on shapes, strides and sizes, none on tensors
# expect: accept
# rule: torch-compute
# role: similar
# task: tasks/swiglu.py
# verify: accept

import math

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def swiglu_kernel(x_ptr, out_ptr, rows, half, row_stride, BLOCK_R: tl.constexpr, BLOCK_C: tl.constexpr):
    r = tl.program_id(0) * BLOCK_R + tl.arange(0, BLOCK_R)
    c = tl.program_id(1) * BLOCK_C + tl.arange(0, BLOCK_C)
    mask = (r[:, None] < rows) & (c[None, :] < half)
    base = x_ptr + r[:, None] * row_stride + c[None, :]
    gate = tl.load(base, mask=mask, other=0.0)
    up = tl.load(base + half, mask=mask, other=0.0)
    tl.store(out_ptr + r[:, None] * half + c[None, :], gate * tl.sigmoid(gate) * up, mask=mask)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if not x.is_contiguous():
            x = x.contiguous()
        n = x.shape[-1]
        half = n // 2
        assert half * 2 == n, "SwiGLU splits the last dimension in two"
        rows = math.prod(x.shape[:-1])
        bytes_moved = x.numel() * x.element_size() * 3 // 2
        block_c = min(256, max(16, triton.next_power_of_2(half)))
        budget = max(1, 4096 // block_c)
        block_r = 2 ** int(math.log2(budget)) if bytes_moved > 1 << 16 else 1
        out_shape = list(x.shape[:-1]) + [half]
        out = x.new_empty(out_shape)
        grid = (-(-rows // block_r), (half + block_c - 1) // block_c)
        swiglu_kernel[grid](x, out, rows, half, n, BLOCK_R=block_r, BLOCK_C=block_c)
        return out
