# case: the grid is rounded down, so that the last elements of the output are never written
# expect: accept
# task: tasks/tanh.py
# verify: reject wrong-result|wrong-nan|unwritten-output

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def tanh_kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=0.0)
    tl.store(y_ptr + i, 2.0 * tl.sigmoid(2.0 * x) - 1.0, mask=i < n)


class ModelNew(nn.Module):
    def forward(self, x):
        x = x.contiguous()
        y = torch.empty_like(x)
        n = x.numel()
        tanh_kernel[(n // 1024,)](x, y, n, BLOCK=1024)
        return y
