"""A linear layer and GELU, with three defects: one mistake, one shortcut, one trick. `tritonrl check` finds them."""

import torch
import torch.nn as nn
import triton
import triton.language as tl

torch.backends.cuda.matmul.allow_tf32 = True


@triton.jit
def bias_gelu_kernel(x_ptr, bias_ptr, y_ptr, n, features, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + at, mask=at < n) + tl.load(bias_ptr + at % features, mask=at < n)
    y = 0.5 * x * (1.0 + tl.tanh(0.7978845608 * (x + 0.044715 * x * x * x)))
    tl.store(y_ptr + at, y, mask=at < n)


class ModelNew(nn.Module):
    def __init__(self, in_features, out_features):
        super().__init__()
        self.linear = nn.Linear(in_features, out_features)

    def forward(self, x):
        h = x @ self.linear.weight.t()
        y = torch.empty_like(h)
        n = h.numel()
        bias_gelu_kernel[(triton.cdiv(n, 1024),)](h, self.linear.bias, y, n, h.shape[-1], BLOCK=1024)
        return y
