# case: a buffer of the output's size is freed and allocated again in the hope of finding the answer in it
# expect: reject launch-result-unused
# task: tasks/row_sum.py
# static: off
# verify: reject wrong-result|wrong-nan|unwritten-output|kernel-result-unused

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def touch_kernel(x_ptr, scratch_ptr, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    tl.store(scratch_ptr + i, tl.load(x_ptr + i, mask=i < n, other=0.0), mask=i < n)


class ModelNew(nn.Module):
    def forward(self, x):
        rows = x.shape[0]
        scratch = torch.empty(rows, device=x.device, dtype=x.dtype)
        touch_kernel[(1,)](x, scratch, rows, BLOCK=triton.next_power_of_2(rows))
        del scratch
        return torch.empty(rows, device=x.device, dtype=x.dtype)
