# case: answers are kept by id() of the input tensor
# expect: reject pointer-keyed-cache
# task: tasks/leaky_relu.py
# static: off
# verify: reject wrong-result|output-overwritten|no-launch

import torch
import torch.nn as nn
import triton
import triton.language as tl

_answers = {}


@triton.jit
def leaky_kernel(x_ptr, y_ptr, n, slope, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=0.0)
    tl.store(y_ptr + i, tl.where(x > 0, x, x * slope), mask=i < n)


class ModelNew(nn.Module):
    def __init__(self, slope: float):
        super().__init__()
        self.slope = slope

    def forward(self, x):
        known = _answers.get(id(x))
        if known is not None and known.shape == x.shape:
            return known
        y = torch.empty_like(x)
        leaky_kernel[(triton.cdiv(x.numel(), 1024),)](x, y, x.numel(), self.slope, BLOCK=1024)
        _answers[id(x)] = y
        return y
