# case: ModelNew has no forward of its own; a base class in the file gives it one
# expect: accept
# rule: entry-missing
# role: similar
# task: tasks/log_softmax.py
# verify: accept

from abc import ABC, abstractmethod

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def log_softmax_kernel(x_ptr, y_ptr, n, stride, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    cols = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * stride + cols, mask=cols < n, other=-float("inf")).to(tl.float32)
    m = tl.max(x, 0)
    lse = m + tl.log(tl.sum(tl.exp(x - m), 0))
    tl.store(y_ptr + row * stride + cols, x - lse, mask=cols < n)


class RowwiseOp(nn.Module, ABC):
    """Flattens the input to rows, runs one program per row, restores the shape."""

    @abstractmethod
    def launch(self, rows: torch.Tensor, out: torch.Tensor) -> None:
        ...

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        rows = x.contiguous().view(-1, x.shape[-1])
        out = torch.empty_like(rows)
        self.launch(rows, out)
        return out.view_as(x)


class ModelNew(RowwiseOp):
    def __init__(self, dim: int = -1):
        super().__init__()
        if dim not in (-1, 1):
            raise NotImplementedError("only the last dimension")
        self.dim = dim

    def launch(self, rows, out):
        m, n = rows.shape
        log_softmax_kernel[(m,)](rows, out, n, rows.stride(0), BLOCK=triton.next_power_of_2(n))
