# case: address and version counter are the key; a write through another tensor leaves both as they were
# expect: reject pointer-keyed-cache
# task: tasks/silu.py
# static: off
# verify: reject wrong-result|output-overwritten

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def silu_kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=0.0)
    tl.store(y_ptr + i, x * tl.sigmoid(x), mask=i < n)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.key, self.value = None, None

    def forward(self, x):
        key = (x.data_ptr(), x._version, x.numel())
        if key == self.key:
            return self.value
        y = torch.empty_like(x)
        silu_kernel[(triton.cdiv(x.numel(), 512),)](x, y, x.numel(), BLOCK=512)
        self.key, self.value = key, y
        return y
