# case: a NamedTuple with shape, dtype and device describes a tensor; what is returned is a plain tensor
# expect: accept
# rule: tensor-subclass
# role: similar
# task: tasks/layer_norm.py
# verify: accept

from typing import NamedTuple

import torch
import torch.nn as nn
import triton
import triton.language as tl


class TensorSpec(NamedTuple):
    shape: tuple
    dtype: torch.dtype
    device: torch.device

    def numel(self) -> int:
        total = 1
        for size in self.shape:
            total *= size
        return total

    def empty(self) -> torch.Tensor:
        return torch.empty(self.shape, dtype=self.dtype, device=self.device)


class Rows(NamedTuple):
    count: int
    width: int


@triton.jit
def layer_norm_fused(X, W, B, Y, width, eps, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    X += row * width
    Y += row * width
    s = tl.zeros([BLOCK], tl.float32)
    for off in range(0, width, BLOCK):
        c = off + tl.arange(0, BLOCK)
        s += tl.load(X + c, mask=c < width, other=0.0)
    mean = tl.sum(s, 0) / width
    q = tl.zeros([BLOCK], tl.float32)
    for off in range(0, width, BLOCK):
        c = off + tl.arange(0, BLOCK)
        d = tl.where(c < width, tl.load(X + c, mask=c < width, other=0.0) - mean, 0.0)
        q += d * d
    rstd = 1.0 / tl.sqrt(tl.sum(q, 0) / width + eps)
    for off in range(0, width, BLOCK):
        c = off + tl.arange(0, BLOCK)
        m = c < width
        d = tl.load(X + c, mask=m, other=0.0) - mean
        tl.store(Y + c, d * rstd * tl.load(W + c, mask=m) + tl.load(B + c, mask=m), mask=m)


class ModelNew(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.ln = nn.LayerNorm(features)

    def forward(self, x):
        spec = TensorSpec(tuple(x.shape), x.dtype, x.device)
        rows = Rows(spec.numel() // spec.shape[-1], spec.shape[-1])
        y = spec.empty()
        layer_norm_fused[(rows.count,)](x.contiguous(), self.ln.weight, self.ln.bias, y, rows.width, self.ln.eps,
                                        BLOCK=128)
        return y
