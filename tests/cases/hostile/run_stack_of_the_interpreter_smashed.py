# case: the recursion limit is lifted and the C stack runs over
# expect: reject reflection
# task: tasks/relu.py
# static: off
# verify: reject crash|run-error

import sys

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def relu_kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y_ptr + i, tl.maximum(tl.load(x_ptr + i, mask=i < n, other=0.0), 0.0), mask=i < n)


class Down:
    def __getattr__(self, name):
        return getattr(self, name + "x")

    def __repr__(self):
        return repr([self])


class ModelNew(nn.Module):
    def forward(self, x):
        sys.setrecursionlimit(10**9)
        y = torch.empty_like(x)
        relu_kernel[(triton.cdiv(x.numel(), 1024),)](x, y, x.numel(), BLOCK=1024)
        repr(Down())
        return y
