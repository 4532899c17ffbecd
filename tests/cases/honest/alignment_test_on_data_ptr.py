# case: data_ptr() decides only whether wide loads are aligned
# expect: accept
# rule: pointer-keyed-cache
# role: similar
# task: tasks/relu.py
# verify: accept

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def relu_kernel(x_ptr, y_ptr, n, ALIGNED: tl.constexpr, BLOCK: tl.constexpr):
    start = tl.program_id(0) * BLOCK
    offs = start + tl.arange(0, BLOCK)
    if ALIGNED:
        offs = tl.max_contiguous(tl.multiple_of(offs, 16), BLOCK)
    mask = offs < n
    x = tl.load(x_ptr + offs, mask=mask, other=0.0)
    tl.store(y_ptr + offs, tl.maximum(x, 0.0), mask=mask)


def is_aligned(*tensors, to=16):
    return all(t.data_ptr() % to == 0 for t in tensors)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, x):
        x = x.contiguous()
        y = torch.empty_like(x)
        n = x.numel()
        aligned = is_aligned(x, y) and (x.data_ptr() & 0xF) == 0
        block = 1024 if aligned else 256
        relu_kernel[(triton.cdiv(n, block),)](x, y, n, ALIGNED=aligned, BLOCK=block)
        return y
