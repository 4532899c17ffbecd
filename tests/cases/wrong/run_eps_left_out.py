# case: RMS normalisation without eps: right for ordinary rows, wrong for tiny ones
# expect: accept
# task: tasks/rms_norm.py
# verify: reject wrong-result|wrong-nan

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def rms_kernel(x_ptr, w_ptr, y_ptr, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * n + c, mask=c < n, other=0.0)
    w = tl.load(w_ptr + c, mask=c < n, other=0.0)
    tl.store(y_ptr + row * n + c, x * tl.rsqrt(tl.sum(x * x, axis=0) / n) * w, mask=c < n)


class ModelNew(nn.Module):
    def __init__(self, features, eps):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(features))
        self.eps = eps

    def forward(self, x):
        x = x.contiguous()
        n = x.shape[-1]
        y = torch.empty_like(x)
        rms_kernel[(x.numel() // n,)](x, self.weight, y, n, BLOCK=triton.next_power_of_2(n))
        return y
