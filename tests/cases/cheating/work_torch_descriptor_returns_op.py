# case: a descriptor's __get__ hands out a bound torch function, reached as self.step
# expect: reject torch-compute
# rule: torch-compute
# role: disguised

import torch
import torch.nn as nn
import torch.nn.functional as F
import triton
import triton.language as tl


class Stage:
    def __init__(self, fn):
        self.fn = fn

    def __get__(self, instance, owner=None):
        return lambda *args: self.fn(*args, instance.kernel_size)


@triton.jit
def subtract_kernel(x_ptr, y_ptr, n, value, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y_ptr + i, tl.load(x_ptr + i, mask=i < n) - value, mask=i < n)


class ModelNew(nn.Module):
    step = Stage(F.max_pool2d)

    def __init__(self, kernel_size: int, value: float = 0.5):
        super().__init__()
        self.kernel_size = kernel_size
        self.value = value

    def forward(self, x):
        pooled = self.step(x)
        y = torch.empty_like(pooled)
        n = y.numel()
        subtract_kernel[(triton.cdiv(n, 512),)](pooled, y, n, self.value, BLOCK=512)
        return y
