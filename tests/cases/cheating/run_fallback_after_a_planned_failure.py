# case: the launch fails by design, and the handler computes with torch
# expect: reject fallback-to-torch
# task: tasks/cumsum.py
# static: off
# verify: reject torch-compute|no-launch

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def scan_kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * n + c, mask=c < n, other=0.0)
    tl.store(y_ptr + row * n + c, tl.cumsum(x, axis=0), mask=c < n)


class ModelNew(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.dim = dim

    def forward(self, x):
        y = torch.empty_like(x)
        try:
            scan_kernel[(x.shape[0],)](x, y, x.shape[1], BLOCK=x.shape[1] | 1)
        except Exception:
            y = torch.cumsum(x, dim=self.dim)
        return y
