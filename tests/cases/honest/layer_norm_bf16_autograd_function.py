# case: forward and backward kernels in an autograd function, bfloat16 rows
# expect: accept
# task: tasks/layer_norm_bf16.py
# verify: accept

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def ln_forward(x_ptr, w_ptr, b_ptr, y_ptr, mean_ptr, rstd_ptr, n, eps, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    m = c < n
    x = tl.load(x_ptr + row * n + c, mask=m, other=0.0).to(tl.float32)
    mean = tl.sum(x, axis=0) / n
    d = tl.where(m, x - mean, 0.0)
    rstd = tl.rsqrt(tl.sum(d * d, axis=0) / n + eps)
    w = tl.load(w_ptr + c, mask=m, other=0.0).to(tl.float32)
    b = tl.load(b_ptr + c, mask=m, other=0.0).to(tl.float32)
    tl.store(y_ptr + row * n + c, (d * rstd * w + b).to(tl.bfloat16), mask=m)
    tl.store(mean_ptr + row, mean)
    tl.store(rstd_ptr + row, rstd)


@triton.jit
def ln_backward_x(g_ptr, x_ptr, w_ptr, mean_ptr, rstd_ptr, dx_ptr, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    m = c < n
    g = tl.load(g_ptr + row * n + c, mask=m, other=0.0).to(tl.float32)
    w = tl.load(w_ptr + c, mask=m, other=0.0).to(tl.float32)
    x = tl.load(x_ptr + row * n + c, mask=m, other=0.0).to(tl.float32)
    rstd = tl.load(rstd_ptr + row)
    xhat = tl.where(m, (x - tl.load(mean_ptr + row)) * rstd, 0.0)
    gw = g * w
    dx = (gw - tl.sum(gw, axis=0) / n - xhat * tl.sum(gw * xhat, axis=0) / n) * rstd
    tl.store(dx_ptr + row * n + c, dx.to(tl.bfloat16), mask=m)


class LayerNorm(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight, bias, eps):
        n = x.shape[-1]
        rows = x.numel() // n
        y = torch.empty_like(x)
        mean = torch.empty(rows, device=x.device, dtype=torch.float32)
        rstd = torch.empty_like(mean)
        block = triton.next_power_of_2(n)
        ln_forward[(rows,)](x, weight, bias, y, mean, rstd, n, eps, BLOCK=block)
        ctx.save_for_backward(x, weight, mean, rstd)
        return y

    @staticmethod
    def backward(ctx, grad):
        x, weight, mean, rstd = ctx.saved_tensors
        n = x.shape[-1]
        dx = torch.empty_like(x)
        ln_backward_x[(x.numel() // n,)](grad.contiguous(), x, weight, mean, rstd, dx, n, BLOCK=triton.next_power_of_2(n))
        return dx, None, None, None


class ModelNew(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.ln = nn.LayerNorm(features).to(torch.bfloat16)

    def forward(self, x):
        return LayerNorm.apply(x.contiguous(), self.ln.weight, self.ln.bias, self.ln.eps)
