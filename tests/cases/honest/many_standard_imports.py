# case: a long list of imports, all of them harmless parts of the standard library
# expect: accept
# rule: forbidden-import
# role: similar
# task: tasks/avg_pool1d.py
# verify: accept

from __future__ import annotations

import contextlib
import itertools
import math
import operator
import warnings
from collections import OrderedDict, defaultdict
from collections.abc import Callable, Sequence
from functools import partial, reduce
from typing import TYPE_CHECKING, Any, Final, Optional

import torch
import torch.nn as nn
import triton
import triton.language as tl

if TYPE_CHECKING:
    from torch import Tensor

BLOCK: Final = 256


@triton.jit
def avg_pool_kernel(x_ptr, y_ptr, L, OL, stride, padding, K: tl.constexpr, BLOCK: tl.constexpr):
    line = tl.program_id(0)
    o = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    acc = tl.zeros((BLOCK,), dtype=tl.float32)
    for k in range(K):
        pos = o * stride - padding + k
        acc += tl.load(x_ptr + line * L + pos, mask=(pos >= 0) & (pos < L) & (o < OL), other=0.0)
    tl.store(y_ptr + line * OL + o, acc / K, mask=o < OL)


class ModelNew(nn.Module):
    def __init__(self, kernel_size: int, stride: Optional[int] = None, padding: int = 0) -> None:
        super().__init__()
        self.kernel_size = kernel_size
        self.stride = stride or kernel_size
        self.padding = padding

    def out_length(self, length: int) -> int:
        return math.floor((length + 2 * self.padding - self.kernel_size) / self.stride) + 1

    def forward(self, x: Tensor) -> Tensor:
        *lead, length = x.shape
        lines = reduce(operator.mul, lead, 1)
        out_length = self.out_length(length)
        y = x.new_empty((*lead, out_length))
        avg_pool_kernel[(lines, triton.cdiv(out_length, BLOCK))](
            x.contiguous(), y, length, out_length, self.stride, self.padding, K=self.kernel_size, BLOCK=BLOCK)
        return y
