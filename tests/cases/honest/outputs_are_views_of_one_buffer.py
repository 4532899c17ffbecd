# case: both outputs lie in one buffer, as views of it
# expect: accept
# task: tasks/row_mean_var.py
# verify: accept

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def mean_var_kernel(x_ptr, out_ptr, rows, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    m = c < n
    x = tl.load(x_ptr + row * n + c, mask=m, other=0.0)
    mean = tl.sum(x, axis=0) / n
    d = tl.where(m, x - mean, 0.0)
    tl.store(out_ptr + row, mean)
    tl.store(out_ptr + rows + row, tl.sum(d * d, axis=0) / n)


class ModelNew(nn.Module):
    def forward(self, x):
        x = x.contiguous()
        rows, n = x.shape
        both = torch.empty((2, rows), device=x.device, dtype=x.dtype)
        mean_var_kernel[(rows,)](x, both, rows, n, BLOCK=triton.next_power_of_2(n))
        return both[0], both[1]
