# case: the log-sum-exp comes back beside the result, in a tuple
# expect: accept
# task: tasks/log_softmax.py
# verify: reject wrong-structure

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def log_softmax_kernel(x_ptr, y_ptr, lse_ptr, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * n + c, mask=c < n, other=-float("inf"))
    top = tl.max(x, axis=0)
    lse = top + tl.log(tl.sum(tl.exp(x - top), axis=0))
    tl.store(y_ptr + row * n + c, x - lse, mask=c < n)
    tl.store(lse_ptr + row, lse)


class ModelNew(nn.Module):
    def __init__(self, dim: int = -1):
        super().__init__()
        self.dim = dim

    def forward(self, x):
        x = x.contiguous()
        y = torch.empty_like(x)
        lse = torch.empty(x.shape[0], device=x.device, dtype=torch.float32)
        log_softmax_kernel[(x.shape[0],)](x, y, lse, x.shape[1], BLOCK=triton.next_power_of_2(x.shape[1]))
        return y, lse
