# case: the function to call comes out of a literal dictionary with a known key
# expect: accept
# rule: unresolved-call
# role: similar
# task: tasks/bias_silu_scale.py
# verify: accept

import enum

import torch
import torch.nn as nn
import triton
import triton.language as tl


class Activation(enum.Enum):
    RELU = "relu"
    SILU = "silu"


@triton.jit
def bias_silu_kernel(x_ptr, bias_ptr, y_ptr, rows, cols, scale, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    ok = c < cols
    v = tl.load(x_ptr + row * cols + c, mask=ok, other=0.0) + tl.load(bias_ptr + c, mask=ok, other=0.0)
    tl.store(y_ptr + row * cols + c, v / (1.0 + tl.exp(-v)) * scale, mask=ok)


@triton.jit
def bias_relu_kernel(x_ptr, bias_ptr, y_ptr, rows, cols, scale, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    ok = c < cols
    v = tl.load(x_ptr + row * cols + c, mask=ok, other=0.0) + tl.load(bias_ptr + c, mask=ok, other=0.0)
    tl.store(y_ptr + row * cols + c, tl.maximum(v, 0.0) * scale, mask=ok)


def launch_silu(x, bias, y, scale):
    bias_silu_kernel[(x.shape[0], triton.cdiv(x.shape[1], 128))](x, bias, y, *x.shape, scale, BLOCK=128)


def launch_relu(x, bias, y, scale):
    bias_relu_kernel[(x.shape[0], triton.cdiv(x.shape[1], 128))](x, bias, y, *x.shape, scale, BLOCK=128)


LAUNCHERS = {Activation.SILU: launch_silu, Activation.RELU: launch_relu}


class ModelNew(nn.Module):
    activation = Activation.SILU

    def __init__(self, features, scale):
        super().__init__()
        self.bias = nn.Parameter(torch.randn(features))
        self.scale = scale

    def forward(self, x):
        x = x.contiguous()
        y = torch.empty_like(x)
        LAUNCHERS[self.activation](x, self.bias, y, self.scale)
        return y
