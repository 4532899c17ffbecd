# case: the first output is kept on the module and every later call returns it
# expect: reject cached-result
# rule: cached-result
# role: caught

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def softplus_kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    m = i < n
    x = tl.load(x_ptr + i, mask=m, other=0.0)
    y = tl.where(x > 20.0, x, tl.log(1.0 + tl.exp(x)))
    tl.store(y_ptr + i, y, mask=m)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self._cached = None

    def forward(self, x):
        if self._cached is None:
            y = torch.empty_like(x)
            n = x.numel()
            softplus_kernel[(triton.cdiv(n, 1024),)](x, y, n, BLOCK=1024)
            self._cached = y
        return self._cached
