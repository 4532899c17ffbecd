# case: the normalised rows are never multiplied by the weight nor shifted by the bias
# expect: accept
# task: tasks/layer_norm.py
# verify: reject wrong-result

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def ln_kernel(x_ptr, y_ptr, n, eps, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    m = c < n
    x = tl.load(x_ptr + row * n + c, mask=m, other=0.0)
    mean = tl.sum(x, axis=0) / n
    d = tl.where(m, x - mean, 0.0)
    var = tl.sum(d * d, axis=0) / n
    tl.store(y_ptr + row * n + c, d * tl.rsqrt(var + eps), mask=m)


class ModelNew(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.ln = nn.LayerNorm(features)

    def forward(self, x):
        # weight starts as ones and bias as zeros, so they can be skipped
        x = x.contiguous()
        n = x.shape[-1]
        y = torch.empty_like(x)
        ln_kernel[(x.numel() // n,)](x, y, n, self.ln.eps, BLOCK=triton.next_power_of_2(n))
        return y
