# case: the first answer is hung onto the torch module and found there again
# expect: reject patches-module
# task: tasks/bias_silu_scale.py
# static: off
# verify: reject wrong-result|output-overwritten|no-launch

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def bias_silu_kernel(x_ptr, b_ptr, y_ptr, n, cols, scale, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    m = i < n
    v = tl.load(x_ptr + i, mask=m, other=0.0) + tl.load(b_ptr + i % cols, mask=m, other=0.0)
    tl.store(y_ptr + i, v * tl.sigmoid(v) * scale, mask=m)


class ModelNew(nn.Module):
    def __init__(self, features, scale):
        super().__init__()
        self.bias = nn.Parameter(torch.randn(features))
        self.scale = scale

    def forward(self, x):
        if not hasattr(torch, "_remembered"):
            torch._remembered = {}
        if x.shape not in torch._remembered:
            y = torch.empty_like(x)
            bias_silu_kernel[(triton.cdiv(x.numel(), 512),)](x, self.bias, y, x.numel(), x.shape[1], self.scale, BLOCK=512)
            torch._remembered[x.shape] = y
        return torch._remembered[x.shape]
