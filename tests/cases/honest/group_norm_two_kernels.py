# case: statistics and normalisation in two kernels with small buffers between them
# expect: accept
# task: tasks/group_norm.py
# verify: accept

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def group_stats(x_ptr, mean_ptr, rstd_ptr, size, eps, BLOCK: tl.constexpr):
    g = tl.program_id(0)
    offs = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + g * size + offs, mask=offs < size, other=0.0)
    mean = tl.sum(x) / size
    d = tl.where(offs < size, x - mean, 0.0)
    var = tl.sum(d * d) / size
    tl.store(mean_ptr + g, mean)
    tl.store(rstd_ptr + g, tl.rsqrt(var + eps))


@triton.jit
def group_apply(x_ptr, mean_ptr, rstd_ptr, w_ptr, b_ptr, y_ptr, total, C, HW, per_group, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    ok = i < total
    plane = i // HW
    c = plane % C
    g = plane // per_group
    x = tl.load(x_ptr + i, mask=ok, other=0.0)
    mean = tl.load(mean_ptr + g, mask=ok, other=0.0)
    rstd = tl.load(rstd_ptr + g, mask=ok, other=0.0)
    y = (x - mean) * rstd * tl.load(w_ptr + c, mask=ok, other=0.0) + tl.load(b_ptr + c, mask=ok, other=0.0)
    tl.store(y_ptr + i, y, mask=ok)


class ModelNew(nn.Module):
    def __init__(self, groups, channels):
        super().__init__()
        self.gn = nn.GroupNorm(groups, channels)

    @property
    def groups(self):
        return self.gn.num_groups

    def forward(self, x):
        x = x.contiguous()
        b, c = x.shape[0], x.shape[1]
        hw = x[0, 0].numel()
        per_group = c // self.groups
        stats = torch.empty((2, b * self.groups), device=x.device, dtype=torch.float32)
        mean, rstd = stats.unbind(0)
        y = torch.empty_like(x)
        size = per_group * hw
        group_stats[(b * self.groups,)](x, mean, rstd, size, self.gn.eps, BLOCK=triton.next_power_of_2(size))
        group_apply[(triton.cdiv(x.numel(), 256),)](x, mean, rstd, self.gn.weight, self.gn.bias, y, x.numel(), c, hw,
                                                    per_group, BLOCK=256)
        return y
