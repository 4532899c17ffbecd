# case: a hundred and one launches that earn a warning each come before one that reads past the end of its input
# expect: accept
# task: tasks/silu.py
# verify: reject out-of-bounds
# cuda: accept

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def flag_kernel(x_ptr, f_ptr):
    tl.store(f_ptr, tl.load(x_ptr) * 0.0 + 1.0)  # by two programs, the same value


@triton.jit
def silu_kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=0.0)
    beyond = tl.load(x_ptr + i + n)
    tl.store(y_ptr + i, tl.where(i < n, x * tl.sigmoid(x), beyond), mask=i < n)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, x):
        x = x.contiguous()
        flag = torch.zeros(1, device=x.device)
        for _ in range(101):
            flag_kernel[(2,)](x, flag)
        y = torch.empty_like(x)
        silu_kernel[(triton.cdiv(x.numel(), 1024),)](x, y, x.numel(), BLOCK=1024)
        return y
