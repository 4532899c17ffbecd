# case: an overridden `_apply` prepares the product of the layers while the module moves to the device
# expect: accept
# task: tasks/linear_residual.py
# verify: reject wrong-result

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def row_kernel(x_ptr, w_ptr, b_ptr, y_ptr, F, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    m = c < F
    acc = tl.load(x_ptr + row * F + c, mask=m, other=0.0) + tl.load(b_ptr + c, mask=m, other=0.0)
    for k in range(F):
        acc += tl.load(x_ptr + row * F + k) * tl.load(w_ptr + k * F + c, mask=m, other=0.0)
    tl.store(y_ptr + row * F + c, acc, mask=m)


class ModelNew(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.linear = nn.Linear(features, features)
        self.ready = self.linear.weight.detach().clone().t().contiguous()

    def _apply(self, fn, *args, **kwargs):
        super()._apply(fn, *args, **kwargs)
        self.ready = fn(self.ready)
        return self

    def forward(self, x):
        M, F = x.shape
        y = torch.empty_like(x)
        row_kernel[(M,)](x.contiguous(), self.ready, self.linear.bias, y, F, BLOCK=triton.next_power_of_2(F))
        return y
