# case: inputs are standard normal, so mean zero and variance one are assumed and only the affine part is done
# expect: accept
# task: tasks/layer_norm_bf16.py
# verify: reject wrong-result

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def affine_kernel(x_ptr, w_ptr, b_ptr, y_ptr, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    m = c < n
    x = tl.load(x_ptr + row * n + c, mask=m, other=0.0).to(tl.float32)
    w = tl.load(w_ptr + c, mask=m, other=0.0).to(tl.float32)
    b = tl.load(b_ptr + c, mask=m, other=0.0).to(tl.float32)
    tl.store(y_ptr + row * n + c, x * w + b, mask=m)


class ModelNew(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.ln = nn.LayerNorm(features).to(torch.bfloat16)

    def forward(self, x):
        n = x.shape[-1]
        y = torch.empty_like(x)
        affine_kernel[(x.numel() // n,)](x, self.ln.weight, self.ln.bias, y, n, BLOCK=triton.next_power_of_2(n))
        return y
