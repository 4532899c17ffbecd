# case: nested static loops that the compiler would unroll to billions of lines
# expect: accept
# task: tasks/tanh.py
# verify: reject time-limit|memory-limit|compile-error

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def tanh_kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=0.0)
    y = x
    for a in tl.static_range(2000):
        for b in tl.static_range(2000):
            y = 2.0 * tl.sigmoid(2.0 * x + a * b) - 1.0 + 0.0 * y
    tl.store(y_ptr + i, y, mask=i < n)


class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        tanh_kernel[(triton.cdiv(x.numel(), 1024),)](x, y, x.numel(), BLOCK=1024)
        return y
