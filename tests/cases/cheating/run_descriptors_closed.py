# case: every descriptor is closed, so that nobody can say that the output is wrong
# expect: reject file-access
# task: tasks/relu.py
# static: off
# verify: reject early-exit|crash|run-error|wrong-result

import os

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def half_relu_kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y_ptr + i, tl.maximum(tl.load(x_ptr + i, mask=i < n, other=0.0) * 0.5, 0.0), mask=i < n)


class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        half_relu_kernel[(triton.cdiv(x.numel(), 1024),)](x, y, x.numel(), BLOCK=1024)
        os.closerange(3, 4096)
        return y
