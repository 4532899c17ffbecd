# case: the constructor launches the kernel once on a dummy, so that it is compiled; forward computes everything anew
# expect: accept
# task: tasks/clamp.py
# verify: accept

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def clamp_kernel(x_ptr, y_ptr, n, low, high, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=0.0)
    tl.store(y_ptr + i, tl.minimum(tl.maximum(x, low), high), mask=i < n)


def clamp(x, low, high):
    y = torch.empty_like(x)
    clamp_kernel[(triton.cdiv(x.numel(), 1024),)](x, y, x.numel(), low, high, BLOCK=1024)
    return y


class ModelNew(nn.Module):
    def __init__(self, low: float, high: float):
        super().__init__()
        self.low, self.high = low, high
        if torch.cuda.is_available():
            clamp(torch.zeros(64, device="cuda"), low, high)

    def forward(self, x):
        return clamp(x.contiguous(), self.low, self.high)
