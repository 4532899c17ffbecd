# case: a kernel samples eight values of the input, and equal samples get the remembered answer
# expect: reject cached-result
# task: tasks/rms_norm.py
# static: off
# verify: reject wrong-result|output-overwritten|host-compute

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def sample_kernel(x_ptr, s_ptr, step, COUNT: tl.constexpr):
    i = tl.arange(0, COUNT)
    tl.store(s_ptr + i, tl.load(x_ptr + i * step))


@triton.jit
def rms_kernel(x_ptr, w_ptr, y_ptr, n, eps, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * n + c, mask=c < n, other=0.0)
    w = tl.load(w_ptr + c, mask=c < n, other=0.0)
    tl.store(y_ptr + row * n + c, x / tl.sqrt(tl.sum(x * x, axis=0) / n + eps) * w, mask=c < n)


class ModelNew(nn.Module):
    def __init__(self, features, eps):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(features))
        self.eps = eps
        self.answers = {}

    def forward(self, x):
        sample = torch.empty(8, device=x.device, dtype=x.dtype)
        sample_kernel[(1,)](x, sample, max(1, x.numel() // 8), COUNT=8)
        key = tuple(sample.tolist())
        if key not in self.answers:
            n = x.shape[-1]
            y = torch.empty_like(x)
            rms_kernel[(x.numel() // n,)](x, self.weight, y, n, self.eps, BLOCK=triton.next_power_of_2(n))
            self.answers[key] = y
        return self.answers[key]
