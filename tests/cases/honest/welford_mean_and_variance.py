# case: Welford's algorithm with tl.reduce and a combine function over three values; a tuple is returned
# expect: accept
# task: tasks/row_mean_var.py
# verify: accept

from typing import Tuple

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def welford_combine(mean_a, m2_a, n_a, mean_b, m2_b, n_b):
    n = n_a + n_b
    safe = tl.where(n > 0, n, 1.0)
    delta = mean_b - mean_a
    mean = mean_a + delta * (n_b / safe)
    m2 = m2_a + m2_b + delta * delta * n_a * n_b / safe
    return mean, m2, n


@triton.jit
def welford_kernel(x_ptr, mean_ptr, var_ptr, N, stride, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    mean = tl.zeros((BLOCK,), tl.float32)
    m2 = tl.zeros((BLOCK,), tl.float32)
    count = tl.zeros((BLOCK,), tl.float32)
    for start in range(0, N, BLOCK):
        c = start + tl.arange(0, BLOCK)
        live = c < N
        x = tl.load(x_ptr + row * stride + c, mask=live, other=0.0)
        seen = count + live.to(tl.float32)
        delta = tl.where(live, x - mean, 0.0)
        mean += delta / tl.where(seen > 0, seen, 1.0)
        m2 += delta * tl.where(live, x - mean, 0.0)
        count = seen
    mean, m2, count = tl.reduce((mean, m2, count), 0, welford_combine)
    tl.store(mean_ptr + row, mean)
    tl.store(var_ptr + row, m2 / count)


class ModelNew(nn.Module):
    def __init__(self) -> None:
        super().__init__()

    def forward(self, x: torch.Tensor) -> Tuple[torch.Tensor, torch.Tensor]:
        x = x if x.stride(-1) == 1 else x.contiguous()
        rows, n = x.shape
        mean, var = (torch.empty(rows, device=x.device, dtype=x.dtype) for _ in range(2))
        welford_kernel[(rows,)](x, mean, var, n, x.stride(0), BLOCK=128)
        return mean, var
