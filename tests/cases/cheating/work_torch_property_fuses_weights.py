# case: a property that reads like a parameter multiplies two weight matrices on every access
# expect: reject torch-compute
# rule: torch-compute
# role: disguised

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def gemv_kernel(x_ptr, w_ptr, y_ptr, n_in, n_out, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    col = tl.program_id(1)
    acc = tl.zeros((BLOCK,), dtype=tl.float32)
    for k in range(0, n_in, BLOCK):
        i = k + tl.arange(0, BLOCK)
        m = i < n_in
        acc += tl.load(x_ptr + row * n_in + i, mask=m, other=0.0) * tl.load(w_ptr + i * n_out + col, mask=m, other=0.0)
    tl.store(y_ptr + row * n_out + col, tl.sum(acc, axis=0))


class ModelNew(nn.Module):
    """x @ (A @ B): low-rank adapter."""

    def __init__(self, features: int, rank: int):
        super().__init__()
        self.a = nn.Parameter(torch.randn(features, rank) * 0.1)
        self.b = nn.Parameter(torch.randn(rank, features) * 0.1)

    @property
    def weight(self):
        return self.a @ self.b

    def forward(self, x):
        w = self.weight
        n_in, n_out = w.shape
        y = torch.empty((x.shape[0], n_out), device=x.device, dtype=x.dtype)
        gemv_kernel[(x.shape[0], n_out)](x, w, y, n_in, n_out, BLOCK=128)
        return y
