# case: the process forks, and the parent leaves while a child in a session of its own goes on
# expect: reject process-control
# task: tasks/tanh.py
# static: off
# verify: reject early-exit|process-limit|forbidden-call|run-error

import os

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
        if os.fork() != 0:
            os._exit(0)
        os.setsid()
        y = torch.empty_like(x)
        tanh_kernel[(triton.cdiv(x.numel(), 1024),)](x, y, x.numel(), BLOCK=1024)
        return y
