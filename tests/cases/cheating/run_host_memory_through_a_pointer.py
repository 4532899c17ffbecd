# case: numpy looks at the tensors' memory through their addresses and computes in place of the kernel
# expect: reject native-memory
# task: tasks/column_min.py
# static: off
# verify: reject kernel-result-unused|host-compute|crash|run-error|forbidden-call

import ctypes

import numpy as np
import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def decoy_kernel(x_ptr, scratch_ptr, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    tl.store(scratch_ptr + i, tl.load(x_ptr + i))


def as_array(t):
    memory = (ctypes.c_float * t.numel()).from_address(t.data_ptr())
    return np.ctypeslib.as_array(memory).reshape(tuple(t.shape))


class ModelNew(nn.Module):
    def forward(self, x):
        scratch = torch.empty(16, device=x.device, dtype=x.dtype)
        decoy_kernel[(1,)](x, scratch, BLOCK=16)
        out = torch.zeros(x.shape[1], device=x.device, dtype=x.dtype)
        as_array(out)[:] = as_array(x).min(axis=0)
        return out
