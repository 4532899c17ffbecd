# case: the sum of raw exponentials overflows for large rows
# expect: accept
# task: tasks/logsumexp.py
# verify: reject wrong-nan

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def lse_kernel(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * n + c, mask=c < n, other=-float("inf"))
    tl.store(out_ptr + row, tl.log(tl.sum(tl.exp(x), axis=0)))


class ModelNew(nn.Module):
    def forward(self, x):
        x = x.contiguous()
        out = torch.empty(x.shape[0], device=x.device, dtype=x.dtype)
        lse_kernel[(x.shape[0],)](x, out, x.shape[1], BLOCK=triton.next_power_of_2(x.shape[1]))
        return out
