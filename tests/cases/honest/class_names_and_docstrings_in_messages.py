# case: names of classes and kernels are used in messages; nothing is looked up by reflection
# expect: accept
# rule: reflection
# role: similar
# task: tasks/group_norm.py
# verify: accept

import functools

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def group_norm_kernel(x_ptr, w_ptr, b_ptr, y_ptr, C, HW, G, eps, BLOCK: tl.constexpr):
    pid = tl.program_id(0)
    g = pid % G
    per_group = C // G
    size = per_group * HW
    base = pid.to(tl.int64) * size
    s = tl.zeros((BLOCK,), tl.float32)
    for start in range(0, size, BLOCK):
        i = start + tl.arange(0, BLOCK)
        s += tl.load(x_ptr + base + i, mask=i < size, other=0.0)
    mean = tl.sum(s) / size
    q = tl.zeros((BLOCK,), tl.float32)
    for start in range(0, size, BLOCK):
        i = start + tl.arange(0, BLOCK)
        d = tl.where(i < size, tl.load(x_ptr + base + i, mask=i < size, other=0.0) - mean, 0.0)
        q += d * d
    rstd = 1.0 / tl.sqrt(tl.sum(q) / size + eps)
    for start in range(0, size, BLOCK):
        i = start + tl.arange(0, BLOCK)
        c = g * per_group + i // HW
        x = tl.load(x_ptr + base + i, mask=i < size, other=0.0)
        w = tl.load(w_ptr + c, mask=i < size, other=0.0)
        b = tl.load(b_ptr + c, mask=i < size, other=0.0)
        tl.store(y_ptr + base + i, (x - mean) * rstd * w + b, mask=i < size)


def checked(fn):
    @functools.wraps(fn)
    def wrapper(self, x):
        if x.dim() < 3:
            raise ValueError(f"{type(self).__name__}.{fn.__name__} wants (B, C, ...), got {x.dim()} dimensions")
        return fn(self, x)
    return wrapper


class ModelNew(nn.Module):
    """GroupNorm, one program a group."""

    __slots__ = ()

    def __init__(self, groups, channels):
        super().__init__()
        self.gn = nn.GroupNorm(groups, channels)

    def extra_repr(self):
        return f"{self.__class__.__name__}: {self.__doc__}"

    @checked
    def forward(self, x):
        x = x.contiguous()
        b, c = x.shape[:2]
        hw = x.numel() // (b * c)
        y = torch.empty_like(x)
        group_norm_kernel[(b * self.gn.num_groups,)](
            x, self.gn.weight, self.gn.bias, y, c, hw, self.gn.num_groups, self.gn.eps, BLOCK=256)
        return y
