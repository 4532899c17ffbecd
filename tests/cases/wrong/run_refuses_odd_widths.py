# case: forward raises for widths that are no multiple of 16, and the task's is none
# expect: accept
# task: tasks/rms_norm.py
# verify: reject run-error

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
    scale = 1.0 / tl.sqrt(tl.sum(x * x, axis=0) / n + eps)
    tl.store(y_ptr + row * n + c, x * scale * w, mask=c < n)


class ModelNew(nn.Module):
    def __init__(self, features, eps):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(features))
        self.eps = eps

    def forward(self, x):
        n = x.shape[-1]
        if n % 16 != 0:
            raise ValueError(f"the width must be a multiple of 16, not {n}")
        x = x.contiguous()
        y = torch.empty_like(x)
        rms_kernel[(x.numel() // n,)](x, self.weight, y, n, self.eps, BLOCK=triton.next_power_of_2(n))
        return y
