# case: a library file: kernels and wrappers, no ModelNew, judged without an entry
# expect: accept
# entry: none

"""Row operations used by several models."""
from typing import Optional

import torch
import triton
import triton.language as tl

__all__ = ["row_sum", "scale_rows_"]


@triton.jit
def _row_sum(x_ptr, out_ptr, n, stride, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    acc = tl.zeros((BLOCK,), tl.float32)
    for start in range(0, n, BLOCK):
        c = start + tl.arange(0, BLOCK)
        acc += tl.load(x_ptr + row * stride + c, mask=c < n, other=0.0)
    tl.store(out_ptr + row, tl.sum(acc))


@triton.jit
def _scale_rows(x_ptr, s_ptr, n, stride, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    s = tl.load(s_ptr + row)
    for start in range(0, n, BLOCK):
        c = start + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + row * stride + c, mask=c < n, other=0.0)
        tl.store(x_ptr + row * stride + c, x * s, mask=c < n)


def row_sum(x: torch.Tensor, out: Optional[torch.Tensor] = None) -> torch.Tensor:
    if out is None:
        out = torch.empty(x.shape[0], device=x.device, dtype=torch.float32)
    _row_sum[(x.shape[0],)](x, out, x.shape[1], x.stride(0), BLOCK=512)
    return out


def scale_rows_(x: torch.Tensor, scales: torch.Tensor) -> torch.Tensor:
    """In place, as the trailing underscore says."""
    _scale_rows[(x.shape[0],)](x, scales, x.shape[1], x.stride(0), BLOCK=512)
    return x


def normalise_rows(x: torch.Tensor) -> torch.Tensor:
    return scale_rows_(x.clone(), row_sum(x).reciprocal())
