# case: a Taylor polynomial stands in for tanh, good only near zero
# expect: accept
# task: tasks/tanh.py
# verify: reject wrong-result

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def tanh_kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=0.0)
    s = x * x
    p = x * (1.0 - s * (0.333333 - s * (0.133333 - s * 0.053968)))
    tl.store(y_ptr + i, tl.minimum(tl.maximum(p, -1.0), 1.0), mask=i < n)


class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        tanh_kernel[(triton.cdiv(x.numel(), 512),)](x, y, x.numel(), BLOCK=512)
        return y
