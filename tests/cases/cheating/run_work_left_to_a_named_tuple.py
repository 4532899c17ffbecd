# case: a NamedTuple whose __iter__ launches the kernel for all rows but the first, when forward has returned and no clock runs
# expect: accept
# task: tasks/row_mean_var.py
# verify: reject wrong-result|unwritten-output|wrong-nan

from typing import NamedTuple

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def mv_kernel(x_ptr, m_ptr, v_ptr, N, first, BLOCK: tl.constexpr):
    row = tl.program_id(0) + first
    at = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * N + at, mask=at < N, other=0.0)
    mean = tl.sum(x, 0) / N
    d = tl.where(at < N, x - mean, 0.0)
    tl.store(m_ptr + row, mean)
    tl.store(v_ptr + row, tl.sum(d * d, 0) / N)


def work(x, m, v, first, rows):
    mv_kernel[(rows,)](x, m, v, x.shape[1], first, BLOCK=triton.next_power_of_2(x.shape[1]))


LATER = []


class Pair(NamedTuple):
    mean: torch.Tensor
    var: torch.Tensor

    def __iter__(self):
        x = LATER.pop()
        work(x, self.mean, self.var, 1, x.shape[0] - 1)
        return iter((self.mean, self.var))


class ModelNew(nn.Module):
    def forward(self, x):
        m = torch.empty((x.shape[0],), device=x.device)
        v = torch.empty((x.shape[0],), device=x.device)
        work(x, m, v, 0, 1)
        LATER.append(x)
        return Pair(m, v)
