# case: a decorator of the file's own logs shapes around the launch function
# expect: accept
# task: tasks/residual_layer_norm.py
# verify: accept

import functools
import logging

import torch
import torch.nn as nn
import triton
import triton.language as tl

LOG = logging.getLogger(__name__)


def logged(level=logging.DEBUG):
    def decorate(fn):
        @functools.wraps(fn)
        def inner(*args, **kwargs):
            LOG.log(level, "%s(%s)", fn.__name__, [tuple(a.shape) for a in args if isinstance(a, torch.Tensor)])
            return fn(*args, **kwargs)
        return inner
    return decorate


@triton.jit
def add_layer_norm(x_ptr, r_ptr, g_ptr, b_ptr, y_ptr, rows, n, eps, ROWS: tl.constexpr, BLOCK: tl.constexpr):
    r = tl.program_id(0) * ROWS + tl.arange(0, ROWS)[:, None]
    c = tl.arange(0, BLOCK)[None, :]
    mask = (r < rows) & (c < n)
    x = tl.load(x_ptr + r * n + c, mask=mask, other=0.0) + tl.load(r_ptr + r * n + c, mask=mask, other=0.0)
    mean = tl.sum(x, axis=1, keep_dims=True) / n
    x = tl.where(mask, x - mean, 0.0)
    var = tl.sum(x * x, axis=1, keep_dims=True) / n
    g = tl.load(g_ptr + c, mask=c < n, other=0.0)
    b = tl.load(b_ptr + c, mask=c < n, other=0.0)
    tl.store(y_ptr + r * n + c, x / tl.sqrt(var + eps) * g + b, mask=mask)


@logged(level=logging.INFO)
def fused_add_norm(x, residual, weight, bias, eps):
    n = x.shape[-1]
    rows = x.numel() // n
    y = torch.empty_like(x)
    add_layer_norm[(triton.cdiv(rows, 4),)](x, residual, weight, bias, y, rows, n, eps, ROWS=4,
                                            BLOCK=triton.next_power_of_2(n))
    return y


class ModelNew(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.norm = nn.LayerNorm(features)

    def forward(self, x, residual):
        return fused_add_norm(x.contiguous(), residual.contiguous(), self.norm.weight, self.norm.bias, self.norm.eps)
