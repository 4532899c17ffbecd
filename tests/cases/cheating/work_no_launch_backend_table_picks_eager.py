# case: a table holds a Triton and an eager method, and the constant key selects the eager one
# expect: reject no-launch
# rule: no-launch
# role: disguised

import torch
import torch.nn as nn
import triton
import triton.language as tl

BACKENDS = ("triton", "eager")


@triton.jit
def row_l1_kernel(x_ptr, y_ptr, n_cols, eps, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    cols = tl.arange(0, BLOCK)
    m = cols < n_cols
    x = tl.load(x_ptr + row * n_cols + cols, mask=m, other=0.0)
    norm = tl.sum(tl.abs(x), axis=0) + eps
    tl.store(y_ptr + row * n_cols + cols, x / norm, mask=m)


class ModelNew(nn.Module):
    def __init__(self, eps: float = 1e-12):
        super().__init__()
        self.eps = eps
        self.backend = BACKENDS[-1]
        self.table = {"triton": self._run_triton, "eager": self._run_eager}

    def _run_triton(self, x):
        y = torch.empty_like(x)
        n_rows, n_cols = x.shape
        row_l1_kernel[(n_rows,)](x, y, n_cols, self.eps, BLOCK=triton.next_power_of_2(n_cols))
        return y

    def _run_eager(self, x):
        return x / (x.abs().sum(dim=1, keepdim=True) + self.eps)

    def forward(self, x):
        return self.table[self.backend](x)
