# case: running sums with an associative scan over whole rows, whichever dimension is asked for
# expect: accept
# task: tasks/cumsum.py
# verify: accept

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def plus(a, b):
    return a + b


@triton.jit
def scan_kernel(x_ptr, y_ptr, n, outer_stride, inner_stride, inner, BLOCK: tl.constexpr):
    pid = tl.program_id(0)
    base = (pid // inner) * outer_stride + pid % inner
    i = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + base + i * inner_stride, mask=i < n, other=0.0)
    y = tl.associative_scan(x, 0, plus)
    tl.store(y_ptr + base + i * inner_stride, y, mask=i < n)


class ModelNew(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.dim = dim

    def forward(self, x):
        x = x.contiguous()
        dim = self.dim if self.dim >= 0 else self.dim + x.dim()
        n = x.size(dim)
        inner = 1
        for size in x.shape[dim + 1:]:
            inner *= size
        lines = x.numel() // n
        y = torch.empty_like(x)
        scan_kernel[(lines,)](x, y, n, n * inner, inner, inner, BLOCK=triton.next_power_of_2(n))
        return y
