# case: small tensors are exact, tensors of the benchmark's size get a cheap formula
# expect: accept
# task: tasks/silu.py
# verify: reject wrong-result

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def silu_kernel(x_ptr, y_ptr, n, FAST: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=0.0)
    if FAST:
        y = x * tl.minimum(tl.maximum(x * 0.1666667 + 0.5, 0.0), 1.0)
    else:
        y = x * tl.sigmoid(x)
    tl.store(y_ptr + i, y, mask=i < n)


class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        n = x.numel()
        silu_kernel[(triton.cdiv(n, 1024),)](x, y, n, FAST=n >= 20000, BLOCK=1024)
        return y
