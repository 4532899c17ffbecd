# case: a raw system call sets up an io_uring, past every check of Python's
# expect: reject native-memory
# task: tasks/relu.py
# static: off
# verify: reject forbidden-call|run-error|crash

import ctypes

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def relu_kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y_ptr + i, tl.maximum(tl.load(x_ptr + i, mask=i < n, other=0.0), 0.0), mask=i < n)


class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        relu_kernel[(triton.cdiv(x.numel(), 1024),)](x, y, x.numel(), BLOCK=1024)
        libc = ctypes.CDLL(None, use_errno=True)
        parameters = (ctypes.c_uint32 * 30)()
        ring = libc.syscall(425, 8, ctypes.byref(parameters))
        if ring < 0:
            raise OSError(ctypes.get_errno(), "no ring")
        return y
