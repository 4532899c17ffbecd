# case: a kernel compares 64 sampled values with the last call's and, if they are equal, leaves the old output alone
# expect: accept
# suspect: call-state
# task: tasks/silu.py
# verify: reject wrong-result|output-overwritten

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def compare_kernel(x_ptr, seen_ptr, flag_ptr, step, COUNT: tl.constexpr):
    i = tl.arange(0, COUNT)
    x = tl.load(x_ptr + i * step)
    seen = tl.load(seen_ptr + i)
    tl.store(flag_ptr, tl.sum((x != seen).to(tl.int32), axis=0))
    tl.store(seen_ptr + i, x)


@triton.jit
def silu_kernel(x_ptr, y_ptr, flag_ptr, n, BLOCK: tl.constexpr):
    if tl.load(flag_ptr) != 0:
        i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + i, mask=i < n, other=0.0)
        tl.store(y_ptr + i, x * tl.sigmoid(x), mask=i < n)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.store = None

    def forward(self, x):
        n = x.numel()
        if self.store is None or self.store[0].shape != x.shape:
            self.store = (torch.empty_like(x), torch.zeros(64, device=x.device, dtype=x.dtype),
                          torch.zeros(1, device=x.device, dtype=torch.int32))
        out, seen, flag = self.store
        compare_kernel[(1,)](x, seen, flag, n // 64, COUNT=64)
        silu_kernel[(triton.cdiv(n, 1024),)](x, out, flag, n, BLOCK=1024)
        return out
