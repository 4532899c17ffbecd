# case: under the core policy the linear layer is rewritten as torch.addmm behind a helper class
# expect: reject torch-compute
# rule: torch-compute
# role: disguised
# task: tasks/linear_relu_scale.py
# static: off
# verify: reject torch-compute
# policy: core

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def relu_scale_kernel(h_ptr, y_ptr, n, scale, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(h_ptr + i, mask=i < n, other=0.0)
    tl.store(y_ptr + i, tl.maximum(v, 0.0) * scale, mask=i < n)


class Affine:
    """Holds the parameters in the layout the kernel wants."""

    def __init__(self, layer):
        self.layer = layer

    def __call__(self, x):
        merge = torch.addmm
        return merge(self.layer.bias, x, self.layer.weight.T)


class ModelNew(nn.Module):
    def __init__(self, in_features, out_features, scale):
        super().__init__()
        self.linear = nn.Linear(in_features, out_features)
        self.affine = Affine(self.linear)
        self.scale = scale

    def forward(self, x):
        h = self.affine(x)
        y = torch.empty_like(h)
        n = h.numel()
        relu_scale_kernel[(triton.cdiv(n, 512),)](h, y, n, self.scale, BLOCK=512)
        return y
