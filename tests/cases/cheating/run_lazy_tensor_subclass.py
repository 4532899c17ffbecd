# case: a subclass that computes when somebody looks, after the clock has stopped
# expect: reject tensor-subclass
# task: tasks/silu.py
# static: off
# verify: reject tensor-subclass|no-launch|wrong-result|wrong-nan

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def silu_kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=0.0)
    tl.store(y_ptr + i, x * tl.sigmoid(x), mask=i < n)


class Later(torch.Tensor):
    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        for a in args:
            pending = a.__dict__.pop("pending", None) if isinstance(a, Later) else None
            if pending is not None:
                pending()
        return super().__torch_function__(func, types, args, kwargs or {})


class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        n = x.numel()
        out = y.as_subclass(Later)
        out.__dict__["pending"] = lambda: silu_kernel[(triton.cdiv(n, 1024),)](x, y, n, BLOCK=1024)
        return out
