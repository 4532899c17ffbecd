# case: a match statement routes to torch.linalg, with the subject fixed by a class constant
# expect: reject torch-compute
# rule: torch-compute
# role: disguised

import torch
import torch.nn as nn
import triton
import triton.language as tl
from torch import linalg as tiles


@triton.jit
def normalise_rows_kernel(x_ptr, n_ptr, y_ptr, cols, BLOCK: tl.constexpr):
    r = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    v = tl.load(x_ptr + r * cols + c, mask=c < cols)
    tl.store(y_ptr + r * cols + c, v / tl.load(n_ptr + r), mask=c < cols)


class ModelNew(nn.Module):
    ORDER = "l2"

    def __init__(self):
        super().__init__()

    def lengths(self, x):
        match self.ORDER:
            case "l1":
                return tiles.vector_norm(x, 1, dim=1)
            case "l2":
                return tiles.vector_norm(x, 2, dim=1)
            case other:
                raise ValueError(other)

    def forward(self, x):
        rows, cols = x.shape
        y = torch.empty_like(x)
        normalise_rows_kernel[(rows,)](x, self.lengths(x), y, cols, BLOCK=triton.next_power_of_2(cols))
        return y
