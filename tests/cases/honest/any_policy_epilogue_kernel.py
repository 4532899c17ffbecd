# case: under the any policy torch may multiply while a kernel does the epilogue that the result depends on
# expect: accept
# policy: any
# task: tasks/linear_relu_scale.py
# verify: accept

import torch
import torch.nn as nn
import torch.nn.functional as F
import triton
import triton.language as tl


@triton.jit
def relu_scale_kernel(z_ptr, y_ptr, n, scale, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    z = tl.load(z_ptr + i, mask=i < n, other=0.0)
    tl.store(y_ptr + i, tl.maximum(z, 0.0) * scale, mask=i < n)


class ModelNew(nn.Module):
    def __init__(self, in_features, out_features, scale):
        super().__init__()
        self.linear = nn.Linear(in_features, out_features)
        self.scale = scale

    def forward(self, x):
        z = F.linear(x, self.linear.weight, self.linear.bias)
        y = torch.empty_like(z)
        relu_scale_kernel[(triton.cdiv(z.numel(), 512),)](z, y, z.numel(), self.scale, BLOCK=512)
        return y
