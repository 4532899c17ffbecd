# case: the reference adds two vectors, this forward takes one
# expect: reject signature-mismatch
# rule: signature-mismatch
# role: caught
# task: tasks/vector_add.py
# static: off
# verify: reject run-error

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def self_add_kernel(x_ptr, o_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n)
    tl.store(o_ptr + i, x + x, mask=i < n)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, x):
        o = torch.empty_like(x)
        self_add_kernel[(triton.cdiv(x.numel(), 1024),)](x, o, x.numel(), BLOCK=1024)
        return o
