# case: statistics of every channel where the task takes those of a group of channels
# expect: accept
# task: tasks/group_norm.py
# verify: reject wrong-result

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def norm_kernel(x_ptr, w_ptr, b_ptr, y_ptr, C, HW, eps, BLOCK: tl.constexpr):
    plane = tl.program_id(0)
    i = tl.arange(0, BLOCK)
    m = i < HW
    x = tl.load(x_ptr + plane * HW + i, mask=m, other=0.0)
    mean = tl.sum(x, axis=0) / HW
    d = tl.where(m, x - mean, 0.0)
    inv = tl.rsqrt(tl.sum(d * d, axis=0) / HW + eps)
    ch = plane % C
    tl.store(y_ptr + plane * HW + i, d * inv * tl.load(w_ptr + ch) + tl.load(b_ptr + ch), mask=m)


class ModelNew(nn.Module):
    def __init__(self, groups, channels):
        super().__init__()
        self.gn = nn.GroupNorm(groups, channels)

    def forward(self, x):
        x = x.contiguous()
        B, C, H, W = x.shape
        y = torch.empty_like(x)
        norm_kernel[(B * C,)](x, self.gn.weight, self.gn.bias, y, C, H * W, self.gn.eps, BLOCK=triton.next_power_of_2(H * W))
        return y
