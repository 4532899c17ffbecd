# case: a list that contains itself
# expect: accept
# task: tasks/row_mean_var.py
# verify: reject wrong-structure

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def mean_var_kernel(x_ptr, mean_ptr, var_ptr, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    m = c < n
    x = tl.load(x_ptr + row * n + c, mask=m, other=0.0)
    mean = tl.sum(x, axis=0) / n
    d = tl.where(m, x - mean, 0.0)
    tl.store(mean_ptr + row, mean)
    tl.store(var_ptr + row, tl.sum(d * d, axis=0) / n)


class ModelNew(nn.Module):
    def forward(self, x):
        mean, var = (torch.empty(x.shape[0], device=x.device) for _ in range(2))
        mean_var_kernel[(x.shape[0],)](x, mean, var, x.shape[1], BLOCK=triton.next_power_of_2(x.shape[1]))
        out = [mean, var]
        out.append(out)
        return out
