# case: the matrix product hides in the forward of an autograd.Function that also launches a kernel
# expect: reject torch-compute
# rule: torch-compute
# role: disguised

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def add_bias_kernel(y_ptr, b_ptr, n_cols, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    cols = tl.arange(0, BLOCK)
    m = cols < n_cols
    y = tl.load(y_ptr + row * n_cols + cols, mask=m)
    tl.store(y_ptr + row * n_cols + cols, y + tl.load(b_ptr + cols, mask=m), mask=m)


class FusedLinear(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight, bias):
        ctx.save_for_backward(x, weight)
        y = x.new_empty(x.shape[0], weight.shape[0])
        y.addmm_(x, weight.t(), beta=0)
        cols = y.shape[1]
        add_bias_kernel[(y.shape[0],)](y, bias, cols, BLOCK=triton.next_power_of_2(cols))
        return y

    @staticmethod
    def backward(ctx, grad):
        x, weight = ctx.saved_tensors
        return grad @ weight, grad.t() @ x, grad.sum(0)


class ModelNew(nn.Module):
    def __init__(self, in_features, out_features):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(out_features, in_features) * 0.05)
        self.bias = nn.Parameter(torch.zeros(out_features))

    def forward(self, x):
        return FusedLinear.apply(x.reshape(-1, x.shape[-1]), self.weight, self.bias).view(*x.shape[:-1], -1)
