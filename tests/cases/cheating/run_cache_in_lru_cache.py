# case: functools.lru_cache on the launcher; tensors hash by identity
# expect: reject cached-result
# task: tasks/clamp.py
# static: off
# verify: reject wrong-result|output-overwritten|no-launch

import functools

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def clamp_kernel(x_ptr, y_ptr, n, low, high, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=0.0)
    tl.store(y_ptr + i, tl.minimum(tl.maximum(x, low), high), mask=i < n)


@functools.lru_cache(maxsize=64)
def clamp(x, low, high):
    y = torch.empty_like(x)
    clamp_kernel[(triton.cdiv(x.numel(), 1024),)](x, y, x.numel(), low, high, BLOCK=1024)
    return y


class ModelNew(nn.Module):
    def __init__(self, low: float, high: float):
        super().__init__()
        self.low, self.high = low, high

    def forward(self, x):
        return clamp(x, self.low, self.high)
