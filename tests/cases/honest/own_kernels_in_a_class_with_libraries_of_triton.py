# case: own kernels in a table of a class, a device function of the file and one of Triton's library inside them
# expect: accept
# rule: library-kernel
# role: similar
# task: tasks/tanh.py
# verify: accept

from typing import Callable

import torch
import torch.nn as nn
import triton
import triton.language as tl
from triton.language.extra.cuda import libdevice

Grid = tuple[int, ...]


@triton.jit
def by_exponentials(x):
    fade = tl.exp(-2.0 * tl.abs(x))
    size = (1.0 - fade) / (1.0 + fade)
    return tl.where(x < 0, -size, size)


@triton.jit
def exponential_kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + at, mask=at < n, other=0.0)
    tl.store(y_ptr + at, by_exponentials(x), mask=at < n)


@triton.jit
def library_kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + at, mask=at < n, other=0.0)
    tl.store(y_ptr + at, libdevice.tanh(x), mask=at < n)


class Kernels:
    of = {torch.float32: library_kernel, torch.float16: exponential_kernel}

    @classmethod
    def launcher(cls, dtype: torch.dtype, grid: Grid) -> Callable[..., object]:
        return cls.of[dtype][grid]


class ModelNew(nn.Module):
    def forward(self, x):
        x = x.contiguous()
        y = torch.empty_like(x)
        Kernels.launcher(torch.float32, (triton.cdiv(x.numel(), 512),))(x, y, x.numel(), BLOCK=512)
        return y
