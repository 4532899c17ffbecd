# case: squares of half precision values are summed before they are widened
# expect: accept
# task: tasks/rms_norm_fp16.py
# verify: reject wrong-result|wrong-nan|precision-downgrade

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def rms_kernel(x_ptr, w_ptr, y_ptr, n, eps, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * n + c, mask=c < n, other=0.0)
    w = tl.load(w_ptr + c, mask=c < n, other=0.0)
    mean = tl.sum(x * x, axis=0) / n
    h = x.to(tl.float32) * tl.rsqrt(mean.to(tl.float32) + eps)
    tl.store(y_ptr + row * n + c, w * h.to(tl.float16), mask=c < n)


class ModelNew(nn.Module):
    def __init__(self, features, eps):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(features, dtype=torch.float16))
        self.eps = eps

    def forward(self, x):
        x = x.contiguous()
        n = x.shape[-1]
        y = torch.empty_like(x)
        rms_kernel[(x.numel() // n,)](x, self.weight, y, n, self.eps, BLOCK=triton.next_power_of_2(n))
        return y
