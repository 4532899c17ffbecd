# case: stores are masked and loads are not: right values, and reads past the end of both inputs
# expect: accept
# task: tasks/vector_add.py
# verify: reject out-of-bounds

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def add_kernel(a_ptr, b_ptr, c_ptr, n_elements, BLOCK_SIZE: tl.constexpr):
    idx = tl.program_id(0) * BLOCK_SIZE + tl.arange(0, BLOCK_SIZE)
    a = tl.load(a_ptr + idx)
    b = tl.load(b_ptr + idx)
    tl.store(c_ptr + idx, a + b, mask=idx < n_elements)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, x, y):
        out = torch.empty_like(x)
        n = out.numel()
        grid = lambda meta: (triton.cdiv(n, meta["BLOCK_SIZE"]),)
        add_kernel[grid](x.contiguous(), y.contiguous(), out, n, BLOCK_SIZE=1024)
        return out
