# case: the parent process is attached to with ptrace
# expect: reject native-memory
# task: tasks/relu.py
# static: off
# verify: reject forbidden-call|run-error|crash

import ctypes
import os

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def zero_kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y_ptr + i, tl.load(x_ptr + i, mask=i < n, other=0.0) * 0.0, mask=i < n)


class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        zero_kernel[(triton.cdiv(x.numel(), 1024),)](x, y, x.numel(), BLOCK=1024)
        libc = ctypes.CDLL(None, use_errno=True)
        if libc.ptrace(16, os.getppid(), None, None) != 0:
            raise OSError(ctypes.get_errno(), "the parent cannot be attached to")
        return y
