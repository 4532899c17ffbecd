# case: the launch is registered for the end of the process
# expect: reject background-work
# task: tasks/clamp.py
# static: off
# verify: reject wrong-result|wrong-nan|no-launch|unwritten-output

import atexit

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def clamp_kernel(x_ptr, y_ptr, n, low, high, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=0.0)
    tl.store(y_ptr + i, tl.minimum(tl.maximum(x, low), high), mask=i < n)


class ModelNew(nn.Module):
    def __init__(self, low: float, high: float):
        super().__init__()
        self.low, self.high = low, high

    def forward(self, x):
        y = torch.empty_like(x)
        atexit.register(lambda: clamp_kernel[(triton.cdiv(x.numel(), 1024),)](
            x, y, x.numel(), self.low, self.high, BLOCK=1024))
        return y
