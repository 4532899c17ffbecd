# case: the same tensor a million times over
# expect: accept
# task: tasks/row_mean_var.py
# verify: reject wrong-structure

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def mean_kernel(x_ptr, mean_ptr, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * n + c, mask=c < n, other=0.0)
    tl.store(mean_ptr + row, tl.sum(x, axis=0) / n)


class ModelNew(nn.Module):
    def forward(self, x):
        mean = torch.empty(x.shape[0], device=x.device)
        mean_kernel[(x.shape[0],)](x, mean, x.shape[1], BLOCK=triton.next_power_of_2(x.shape[1]))
        return (mean,) * 1000000
