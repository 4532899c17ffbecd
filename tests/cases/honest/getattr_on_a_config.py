# case: getattr with a computed name on the file's own config, and with fixed names elsewhere
# expect: accept
# rule: opaque-attribute
# role: similar
# task: tasks/cumsum.py
# verify: accept

from dataclasses import dataclass

import torch
import torch.nn as nn
import triton
import triton.language as tl


@dataclass(frozen=True)
class ScanConfig:
    block_small: int = 64
    block_large: int = 256
    warps_small: int = 2
    warps_large: int = 4


@triton.jit
def cumsum_rows(x_ptr, y_ptr, n, stride, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    carry = 0.0
    for start in range(0, n, BLOCK):
        c = start + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + row * stride + c, mask=c < n, other=0.0)
        y = tl.cumsum(x, axis=0) + carry
        tl.store(y_ptr + row * stride + c, y, mask=c < n)
        carry += tl.sum(x, axis=0)


class ModelNew(nn.Module):
    def __init__(self, dim, config=ScanConfig()):
        super().__init__()
        self.dim = dim
        self.config = config

    def forward(self, x):
        last = getattr(x, "ndim") - 1
        axis = self.dim % (last + 1)
        rows = (x if axis == last else x.transpose(axis, last)).contiguous()
        n = rows.shape[-1]
        size = "small" if n <= 128 else "large"
        block = getattr(self.config, f"block_{size}")
        warps = getattr(self.config, f"warps_{size}", 4)
        y = torch.empty_like(rows)
        cumsum_rows[(rows.numel() // n,)](rows, y, n, n, BLOCK=block, num_warps=warps)
        return y if axis == last else y.transpose(axis, last)
