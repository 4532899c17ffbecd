# case: statistics of a plane in a loop, then a second loop that writes
# expect: accept
# task: tasks/instance_norm.py
# verify: accept

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def instance_norm_kernel(x_ptr, w_ptr, b_ptr, y_ptr, C, HW, eps, BLOCK: tl.constexpr):
    plane = tl.program_id(0).to(tl.int64)
    base = plane * HW
    acc = tl.zeros((BLOCK,), dtype=tl.float32)
    for start in range(0, HW, BLOCK):
        i = start + tl.arange(0, BLOCK)
        acc += tl.load(x_ptr + base + i, mask=i < HW, other=0.0)
    mean = tl.sum(acc, axis=0) / HW
    acc = tl.zeros((BLOCK,), dtype=tl.float32)
    for start in range(0, HW, BLOCK):
        i = start + tl.arange(0, BLOCK)
        d = tl.where(i < HW, tl.load(x_ptr + base + i, mask=i < HW, other=0.0) - mean, 0.0)
        acc += d * d
    rstd = 1.0 / tl.sqrt(tl.sum(acc, axis=0) / HW + eps)
    w = tl.load(w_ptr + plane % C)
    b = tl.load(b_ptr + plane % C)
    for start in range(0, HW, BLOCK):
        i = start + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + base + i, mask=i < HW, other=0.0)
        tl.store(y_ptr + base + i, (x - mean) * rstd * w + b, mask=i < HW)


class ModelNew(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.norm = nn.InstanceNorm2d(channels, affine=True)

    def forward(self, x):
        x = x.contiguous()
        B, C, H, W = x.shape
        y = torch.empty_like(x)
        instance_norm_kernel[(B * C,)](x, self.norm.weight, self.norm.bias, y, C, H * W, self.norm.eps, BLOCK=64)
        return y
