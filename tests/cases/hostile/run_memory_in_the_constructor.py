# case: the constructor makes parameters until memory ends
# expect: accept
# task: tasks/silu.py
# verify: reject memory-limit|init-error

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
        self.tables = nn.ParameterList(nn.Parameter(torch.ones(1 << 28)) for _ in range(4096))

    def forward(self, x):
        y = torch.empty_like(x)
        silu_kernel[(triton.cdiv(x.numel(), 1024),)](x, y, x.numel(), BLOCK=1024)
        return y
