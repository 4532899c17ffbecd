# case: two calls run the whole kernel, later ones a kernel that skips the second half of every row
# expect: reject call-counter
# task: tasks/rms_norm_bf16.py
# static: off
# verify: reject wrong-result

import itertools

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def rms_full(x_ptr, w_ptr, y_ptr, n, eps, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * n + c, mask=c < n, other=0.0).to(tl.float32)
    w = tl.load(w_ptr + c, mask=c < n, other=0.0)
    h = x * tl.rsqrt(tl.sum(x * x, axis=0) / n + eps)
    tl.store(y_ptr + row * n + c, w * h.to(tl.bfloat16), mask=c < n)


@triton.jit
def rms_sampled(x_ptr, w_ptr, y_ptr, n, eps, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * n + c, mask=c < n, other=0.0).to(tl.float32)
    w = tl.load(w_ptr + c, mask=c < n, other=0.0)
    part = tl.where(c < n // 2, x, 0.0)
    h = x * tl.rsqrt(2.0 * tl.sum(part * part, axis=0) / n + eps)
    tl.store(y_ptr + row * n + c, w * h.to(tl.bfloat16), mask=c < n)


class ModelNew(nn.Module):
    def __init__(self, features, eps):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(features, dtype=torch.bfloat16))
        self.eps = eps
        self.count = itertools.count()

    def forward(self, x):
        n = x.shape[-1]
        y = torch.empty_like(x)
        kernel = rms_full if next(self.count) < 2 else rms_sampled
        kernel[(x.numel() // n,)](x, self.weight, y, n, self.eps, BLOCK=triton.next_power_of_2(n))
        return y
