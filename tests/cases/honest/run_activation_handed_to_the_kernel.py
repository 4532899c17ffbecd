# case: the activation is a jit function that the launch hands over as a constexpr
# expect: accept
# task: tasks/silu.py
# verify: accept

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def silu(x):
    return x * tl.sigmoid(x)


@triton.jit
def activate_kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr, ACTIVATION: tl.constexpr = None):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + at, mask=at < n, other=0.0)
    if ACTIVATION is not None:
        x = ACTIVATION(x)
    tl.store(y_ptr + at, x, mask=at < n)


class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        activate_kernel[(triton.cdiv(x.numel(), 1024),)](x, y, x.numel(), BLOCK=1024, ACTIVATION=silu)
        return y
