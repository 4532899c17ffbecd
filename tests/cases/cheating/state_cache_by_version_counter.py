# case: getattr with a folded name reads the tensor's version counter, and an unchanged counter skips the launch
# expect: reject pointer-keyed-cache
# rule: pointer-keyed-cache
# role: disguised

import torch
import torch.nn as nn
import triton
import triton.language as tl

_FIELD = "_" + "version"


@triton.jit
def square_sum_kernel(x_ptr, o_ptr, n, BLOCK: tl.constexpr):
    r = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + r * n + c, mask=c < n, other=0.0)
    tl.store(o_ptr + r, tl.sum(x * x, axis=0))


class Slot:
    __slots__ = ("stamp", "value")

    def __init__(self):
        self.stamp = -1
        self.value = None

    def fresh(self, t):
        return self.value is not None and self.stamp == getattr(t, _FIELD)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.slot = Slot()

    def forward(self, x):
        if not self.slot.fresh(x):
            rows, n = x.shape
            out = x.new_empty(rows)
            square_sum_kernel[(rows,)](x, out, n, BLOCK=triton.next_power_of_2(n))
            self.slot.value, self.slot.stamp = out, getattr(x, _FIELD)
        return self.slot.value
