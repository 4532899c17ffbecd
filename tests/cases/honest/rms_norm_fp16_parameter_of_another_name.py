# case: the weight has another name than in the reference; its shape tells which it is
# expect: accept
# task: tasks/rms_norm_fp16.py
# verify: accept

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def rms_kernel(x_ptr, g_ptr, y_ptr, n, eps, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    m = c < n
    x = tl.load(x_ptr + row * n + c, mask=m, other=0.0).to(tl.float32)
    g = tl.load(g_ptr + c, mask=m, other=0.0)
    h = x * tl.rsqrt(tl.sum(x * x, axis=0) / n + eps)
    tl.store(y_ptr + row * n + c, g * h.to(tl.float16), mask=m)


class ModelNew(nn.Module):
    def __init__(self, features, eps):
        super().__init__()
        self.gain = nn.Parameter(torch.ones(features, dtype=torch.float16))
        self.eps = eps

    def forward(self, x):
        x = x.contiguous()
        n = x.shape[-1]
        y = torch.empty_like(x)
        rms_kernel[(x.numel() // n,)](x, self.gain, y, n, self.eps, BLOCK=triton.next_power_of_2(n))
        return y
