# case: a while loop in the kernel whose condition always holds
# expect: accept
# task: tasks/relu.py
# verify: reject step-limit|step-budget|time-limit

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def relu_kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=0.0)
    k = 1
    while k > 0:
        x = tl.maximum(x, 0.0)
        k = k % 7 + 1
    tl.store(y_ptr + i, x, mask=i < n)


class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        relu_kernel[(triton.cdiv(x.numel(), 1024),)](x, y, x.numel(), BLOCK=1024)
        return y
