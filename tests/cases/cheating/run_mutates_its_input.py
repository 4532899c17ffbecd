# case: the residual is normalised in place, which saves a buffer and spoils the caller's tensor
# expect: reject writes-input
# task: tasks/residual_layer_norm.py
# static: off
# verify: reject writes-input

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def add_norm_kernel(x_ptr, r_ptr, w_ptr, b_ptr, y_ptr, n, eps, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    m = c < n
    s = tl.load(x_ptr + row * n + c, mask=m, other=0.0) + tl.load(r_ptr + row * n + c, mask=m, other=0.0)
    tl.store(r_ptr + row * n + c, s, mask=m)
    mean = tl.sum(s, axis=0) / n
    d = tl.where(m, s - mean, 0.0)
    inv = tl.rsqrt(tl.sum(d * d, axis=0) / n + eps)
    w = tl.load(w_ptr + c, mask=m, other=0.0)
    b = tl.load(b_ptr + c, mask=m, other=0.0)
    tl.store(y_ptr + row * n + c, d * inv * w + b, mask=m)


class ModelNew(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.norm = nn.LayerNorm(features)

    def forward(self, x, residual):
        n = x.shape[-1]
        y = torch.empty_like(x)
        add_norm_kernel[(x.numel() // n,)](
            x, residual, self.norm.weight, self.norm.bias, y, n, self.norm.eps, BLOCK=triton.next_power_of_2(n))
        return y
