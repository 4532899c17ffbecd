# case: the jit decorator and the language module come in under other names
# expect: accept
# rule: no-kernel
# role: similar
# task: tasks/relu.py
# verify: accept

import torch
from torch import nn
from triton import cdiv as ceil_div
from triton import jit as gpu
from triton import language as L


@gpu
def clamp_below_zero(src, dst, count, WIDTH: L.constexpr):
    lane = L.program_id(0) * WIDTH + L.arange(0, WIDTH)
    live = lane < count
    value = L.load(src + lane, mask=live)
    L.store(dst + lane, L.where(value > 0, value, 0.0), mask=live)


class ModelNew(nn.Module):
    WIDTH = 512

    def __init__(self):
        super().__init__()

    def forward(self, x):
        x = x.contiguous()
        y = torch.empty_like(x)
        clamp_below_zero[(ceil_div(x.numel(), self.WIDTH),)](x, y, x.numel(), self.WIDTH)
        return y
