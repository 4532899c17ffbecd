# case: the submodule's own compile() method is called in __init__, so nothing is named torch.compile
# expect: reject torch-compile
# rule: torch-compile
# role: disguised

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def clamp_kernel(x_ptr, n, lo, hi, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x_ptr + i, mask=i < n)
    tl.store(x_ptr + i, tl.clamp(v, lo, hi), mask=i < n)


class Trunk(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.conv = nn.Conv2d(channels, channels, 3, padding=1)
        self.norm = nn.BatchNorm2d(channels)

    def forward(self, x):
        return self.norm(self.conv(x))


class ModelNew(nn.Module):
    def __init__(self, channels: int):
        super().__init__()
        trunk = Trunk(channels)
        trunk.compile(dynamic=False)
        self.trunk = trunk

    def forward(self, x):
        y = self.trunk(x)
        n = y.numel()
        clamp_kernel[(triton.cdiv(n, 1024),)](y, n, -3.0, 3.0, BLOCK=1024)
        return y
