# case: out is a second name of the input, not a new tensor
# expect: reject writes-input
# rule: writes-input
# role: disguised

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def scale_shift_kernel(x_ptr, o_ptr, n, a, b, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n)
    tl.store(o_ptr + i, x * a + b, mask=i < n)


class ModelNew(nn.Module):
    def __init__(self, a=2.0, b=1.0):
        super().__init__()
        self.a, self.b = a, b

    def forward(self, x):
        out = src = x
        n = src.numel()
        scale_shift_kernel[(triton.cdiv(n, 512),)](src, out, n, self.a, self.b, BLOCK=512)
        return out
