# case: the first call uses a small block to compile quickly and later calls a large one; same result, other launch
# expect: accept
# rule: call-state
# role: caught
# suspect: call-state
# task: tasks/vector_add.py
# verify: accept

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def vector_add_kernel(x_ptr, y_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offs < n
    tl.store(out_ptr + offs, tl.load(x_ptr + offs, mask=mask) + tl.load(y_ptr + offs, mask=mask), mask=mask)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self._warm = False

    def forward(self, x, y):
        if self._warm:
            block = 2048
        else:
            block = 128
            self._warm = True
        out = torch.empty_like(x)
        n = x.numel()
        vector_add_kernel[(triton.cdiv(n, block),)](x, y, out, n, BLOCK=block)
        return out
