# case: an assertion that the task's own batch of three does not satisfy
# expect: accept
# task: tasks/group_norm.py
# verify: reject run-error

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def group_norm_kernel(x_ptr, w_ptr, b_ptr, y_ptr, G, CG, HW, eps, BLOCK: tl.constexpr):
    group = tl.program_id(0)
    n = CG * HW
    i = tl.arange(0, BLOCK)
    m = i < n
    x = tl.load(x_ptr + group * n + i, mask=m, other=0.0)
    mean = tl.sum(x, axis=0) / n
    d = tl.where(m, x - mean, 0.0)
    inv = tl.rsqrt(tl.sum(d * d, axis=0) / n + eps)
    ch = (group % G) * CG + i // HW
    w = tl.load(w_ptr + ch, mask=m, other=0.0)
    b = tl.load(b_ptr + ch, mask=m, other=0.0)
    tl.store(y_ptr + group * n + i, d * inv * w + b, mask=m)


class ModelNew(nn.Module):
    def __init__(self, groups, channels):
        super().__init__()
        self.gn = nn.GroupNorm(groups, channels)

    def forward(self, x):
        B, C, H, W = x.shape
        assert B % 2 == 0, "the batch is split into two halves"
        G = self.gn.num_groups
        y = torch.empty_like(x)
        group_norm_kernel[(B * G,)](x.contiguous(), self.gn.weight, self.gn.bias, y, G, C // G, H * W, self.gn.eps,
                                    BLOCK=triton.next_power_of_2(C // G * H * W))
        return y
