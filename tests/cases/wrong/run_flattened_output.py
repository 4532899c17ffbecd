# case: rows come back flattened
# expect: accept
# task: tasks/layer_norm.py
# verify: reject wrong-shape

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def ln_kernel(x_ptr, w_ptr, b_ptr, y_ptr, n, eps, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    m = c < n
    x = tl.load(x_ptr + row * n + c, mask=m, other=0.0)
    mean = tl.sum(x, axis=0) / n
    d = tl.where(m, x - mean, 0.0)
    inv = tl.rsqrt(tl.sum(d * d, axis=0) / n + eps)
    w = tl.load(w_ptr + c, mask=m, other=0.0)
    b = tl.load(b_ptr + c, mask=m, other=0.0)
    tl.store(y_ptr + row * n + c, d * inv * w + b, mask=m)


class ModelNew(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.ln = nn.LayerNorm(features)

    def forward(self, x):
        flat = x.reshape(-1, x.shape[-1])
        y = torch.empty_like(flat)
        ln_kernel[(flat.shape[0],)](flat, self.ln.weight, self.ln.bias, y, flat.shape[1], self.ln.eps,
                                    BLOCK=triton.next_power_of_2(flat.shape[1]))
        return y
