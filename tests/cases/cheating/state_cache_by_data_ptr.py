# case: outputs are looked up by the input's data_ptr
# expect: reject pointer-keyed-cache
# rule: pointer-keyed-cache
# role: caught

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def rms_kernel(x_ptr, y_ptr, n, eps, BLOCK: tl.constexpr):
    r = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + r * n + c, mask=c < n, other=0.0)
    inv = tl.rsqrt(tl.sum(x * x, axis=0) / n + eps)
    tl.store(y_ptr + r * n + c, x * inv, mask=c < n)


class ModelNew(nn.Module):
    def __init__(self, eps: float = 1e-6):
        super().__init__()
        self.eps = eps
        self.cache = {}

    def forward(self, x):
        key = x.data_ptr()
        if key in self.cache:
            return self.cache[key]
        y = torch.empty_like(x)
        rows, n = x.shape
        rms_kernel[(rows,)](x, y, n, self.eps, BLOCK=triton.next_power_of_2(n))
        self.cache[key] = y
        return y
