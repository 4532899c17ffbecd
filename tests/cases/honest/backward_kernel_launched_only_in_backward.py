# case: a kernel that forward never launches belongs to the backward pass; a device function serves both
# expect: accept
# rule: kernel-never-launched
# role: similar
# task: tasks/gelu.py
# verify: accept

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def normal_cdf(x):
    return 0.5 * (1.0 + tl.math.erf(x * 0.7071067811865475))


@triton.jit
def gelu_fwd(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=0.0)
    tl.store(y_ptr + i, x * normal_cdf(x), mask=i < n)


@triton.jit
def gelu_bwd(x_ptr, dy_ptr, dx_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=0.0)
    dy = tl.load(dy_ptr + i, mask=i < n, other=0.0)
    pdf = 0.3989422804014327 * tl.exp(-0.5 * x * x)
    tl.store(dx_ptr + i, dy * (normal_cdf(x) + x * pdf), mask=i < n)


class _Gelu(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        x = x.contiguous()
        ctx.save_for_backward(x)
        y = torch.empty_like(x)
        gelu_fwd[(triton.cdiv(x.numel(), 1024),)](x, y, x.numel(), BLOCK=1024)
        return y

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        dx = torch.empty_like(x)
        gelu_bwd[(triton.cdiv(x.numel(), 1024),)](x, dy.contiguous(), dx, x.numel(), BLOCK=1024)
        return dx


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, x):
        return _Gelu.apply(x)
