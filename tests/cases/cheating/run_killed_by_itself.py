# case: the process sends itself SIGKILL
# expect: reject process-control
# task: tasks/silu.py
# static: off
# verify: reject crash|early-exit|forbidden-call

import os
import signal

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def silu_kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=0.0)
    tl.store(y_ptr + i, x * tl.sigmoid(x), mask=i < n)


class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        silu_kernel[(triton.cdiv(x.numel(), 1024),)](x, y, x.numel(), BLOCK=1024)
        os.kill(os.getpid(), signal.SIGKILL)
        return y
