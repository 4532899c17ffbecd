# case: the kernel computes honestly, multiplies by zero and adds torch's result
# expect: reject torch-compute
# task: tasks/l2_normalize.py
# static: off
# verify: reject torch-compute

import torch
import torch.nn as nn
import triton
import triton.language as tl
import torch.nn.functional as F


@triton.jit
def normalize_kernel(x_ptr, t_ptr, y_ptr, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    m = c < n
    x = tl.load(x_ptr + row * n + c, mask=m, other=0.0)
    own = x / tl.maximum(tl.sqrt(tl.sum(x * x, axis=0)), 1e-12)
    theirs = tl.load(t_ptr + row * n + c, mask=m, other=0.0)
    tl.store(y_ptr + row * n + c, theirs + 0.0 * own, mask=m)


class ModelNew(nn.Module):
    def forward(self, x):
        ready = F.normalize(x, dim=1)
        y = torch.empty_like(x)
        normalize_kernel[(x.shape[0],)](x, ready, y, x.shape[1], BLOCK=triton.next_power_of_2(x.shape[1]))
        return y
