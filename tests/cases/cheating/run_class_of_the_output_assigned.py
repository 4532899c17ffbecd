# case: the class of a finished tensor is exchanged for one whose comparisons always agree
# expect: reject tensor-subclass
# task: tasks/relu.py
# static: off
# verify: reject tensor-subclass|wrong-result

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def half_kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y_ptr + i, tl.maximum(tl.load(x_ptr + i, mask=i < n, other=0.0), 0.0) * 0.5, mask=i < n)


class Agreeable(torch.Tensor):
    def __sub__(self, other):
        return torch.zeros(self.shape)

    __rsub__ = __sub__

    def allclose(self, *args, **kwargs):
        return True


class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        half_kernel[(triton.cdiv(x.numel(), 1024),)](x, y, x.numel(), BLOCK=1024)
        y.__class__ = Agreeable
        return y
