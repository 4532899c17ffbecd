# case: running sums that leave out the element itself
# expect: accept
# task: tasks/cumsum.py
# verify: reject wrong-result

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def scan_kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * n + c, mask=c < n, other=0.0)
    s = tl.cumsum(x, axis=0) - x
    tl.store(y_ptr + row * n + c, s, mask=c < n)


class ModelNew(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.dim = dim

    def forward(self, x):
        x = x.contiguous()
        m, n = x.shape
        y = torch.empty_like(x)
        scan_kernel[(m,)](x, y, n, BLOCK=triton.next_power_of_2(n))
        return y
