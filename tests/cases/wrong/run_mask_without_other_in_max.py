# case: lanes masked off without `other` take part in the maximum
# expect: accept
# task: tasks/row_max.py
# verify: reject undefined-lane|wrong-result

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def row_max_kernel(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    cols = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * n + cols, mask=cols < n)
    tl.store(out_ptr + row, tl.max(x, axis=0))


class ModelNew(nn.Module):
    def forward(self, x):
        m, n = x.shape
        out = torch.empty(m, device=x.device, dtype=x.dtype)
        row_max_kernel[(m,)](x.contiguous(), out, n, BLOCK=triton.next_power_of_2(n))
        return out
