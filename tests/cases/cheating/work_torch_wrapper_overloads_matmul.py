# case: a wrapper class defines __matmul__ and __add__, so that the product reads like plain notation
# expect: reject torch-compute
# rule: torch-compute
# role: disguised

from dataclasses import dataclass

import torch
import torch.nn as nn
import triton
import triton.language as tl


@dataclass
class Tile:
    data: torch.Tensor

    def __matmul__(self, other):
        return Tile(self.data.mm(other.data))

    def __invert__(self):
        out = torch.empty_like(self.data)
        n = out.numel()
        square_kernel[(triton.cdiv(n, 512),)](self.data, out, n, BLOCK=512)
        return out


@triton.jit
def square_kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n)
    tl.store(y_ptr + i, x * x, mask=i < n)


class ModelNew(nn.Module):
    """Element-wise square of a matrix product."""

    def __init__(self):
        super().__init__()

    def forward(self, a, b):
        return ~(Tile(a) @ Tile(b))
