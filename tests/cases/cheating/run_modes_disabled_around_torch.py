# case: dispatch modes are switched off while torch computes the product
# expect: reject dispatch-tampering
# task: tasks/linear_relu_scale.py
# static: off
# verify: reject torch-compute

import torch
import torch.nn as nn
import triton
import triton.language as tl
from torch.utils._python_dispatch import _disable_current_modes


@triton.jit
def bias_relu_scale_kernel(x_ptr, b_ptr, y_ptr, n, cols, scale, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    m = i < n
    x = tl.load(x_ptr + i, mask=m, other=0.0) + tl.load(b_ptr + i % cols, mask=m, other=0.0)
    tl.store(y_ptr + i, tl.maximum(x, 0.0) * scale, mask=m)


class ModelNew(nn.Module):
    def __init__(self, in_features, out_features, scale):
        super().__init__()
        self.linear = nn.Linear(in_features, out_features)
        self.scale = scale

    def forward(self, x):
        with _disable_current_modes():
            product = x @ self.linear.weight.t()
        y = torch.empty_like(product)
        n, cols = y.numel(), y.shape[1]
        bias_relu_scale_kernel[(triton.cdiv(n, 1024),)](product, self.linear.bias, y, n, cols, self.scale, BLOCK=1024)
        return y
