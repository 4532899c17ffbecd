# case: plain-looking calls are a bound launcher (kernel[grid]) and device functions inside a kernel
# expect: accept
# rule: kernel-called-without-grid
# role: similar
# task: tasks/residual_layer_norm.py
# verify: accept

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def mean_of(v, n):
    return tl.sum(v, axis=0) / n


@triton.jit
def normalise(v, mask, n, eps):
    d = tl.where(mask, v - mean_of(v, n), 0.0)
    return d * tl.rsqrt(mean_of(d * d, n) + eps)


@triton.jit
def add_norm_kernel(x, res, w, b, y, n, eps, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    mask = c < n
    v = tl.load(x + row * n + c, mask=mask, other=0.0) + tl.load(res + row * n + c, mask=mask, other=0.0)
    v = normalise(v, mask, n, eps)
    tl.store(y + row * n + c, v * tl.load(w + c, mask=mask) + tl.load(b + c, mask=mask), mask=mask)


class ModelNew(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.norm = nn.LayerNorm(features)

    def forward(self, x, residual):
        n = x.shape[-1]
        y = torch.empty_like(x, memory_format=torch.contiguous_format)
        launch = add_norm_kernel[(x.numel() // n,)]
        launch(x.contiguous(), residual.contiguous(), self.norm.weight, self.norm.bias, y, n, self.norm.eps,
               BLOCK=triton.next_power_of_2(n))
        return y
