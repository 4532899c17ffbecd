# case: an object that forwards everything to a tensor which it computes when it is first asked
# expect: reject tensor-subclass
# task: tasks/scale_shift.py
# static: off
# verify: reject wrong-structure|tensor-subclass

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def scale_kernel(x_ptr, y_ptr, n, scale, shift, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y_ptr + i, tl.load(x_ptr + i, mask=i < n, other=0.0) * scale + shift, mask=i < n)


class Promise:
    def __init__(self, work):
        self._work, self._value = work, None

    def _get(self):
        if self._value is None:
            self._value = self._work()
        return self._value

    def __getattr__(self, name):
        return getattr(self._get(), name)

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        args = tuple(a._get() if isinstance(a, Promise) else a for a in args)
        return func(*args, **(kwargs or {}))


class ModelNew(nn.Module):
    def __init__(self, scale: float, shift: float):
        super().__init__()
        self.scale, self.shift = scale, shift

    def forward(self, x):
        def work():
            y = torch.empty_like(x)
            scale_kernel[(triton.cdiv(x.numel(), 512),)](x, y, x.numel(), self.scale, self.shift, BLOCK=512)
            return y

        return Promise(work)
