# case: layer normalisation with an eps of 1e-3 where the module says 1e-5
# expect: accept
# task: tasks/layer_norm.py
# verify: reject wrong-result

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def ln_kernel(x_ptr, w_ptr, b_ptr, y_ptr, n, EPS: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    m = c < n
    x = tl.load(x_ptr + row * n + c, mask=m, other=0.0)
    mean = tl.sum(x, axis=0) / n
    d = tl.where(m, x - mean, 0.0)
    inv = 1.0 / tl.sqrt(tl.sum(d * d, axis=0) / n + EPS)
    w = tl.load(w_ptr + c, mask=m, other=0.0)
    b = tl.load(b_ptr + c, mask=m, other=0.0)
    tl.store(y_ptr + row * n + c, d * inv * w + b, mask=m)


class ModelNew(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.ln = nn.LayerNorm(features)

    def forward(self, x):
        x = x.contiguous()
        n = x.shape[-1]
        y = torch.empty_like(x)
        ln_kernel[(x.numel() // n,)](x, self.ln.weight, self.ln.bias, y, n, EPS=1e-3, BLOCK=triton.next_power_of_2(n))
        return y
