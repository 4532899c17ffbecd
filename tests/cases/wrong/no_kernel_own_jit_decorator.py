# case: the decorator is called jit and is a function of the file that does nothing
# expect: reject no-kernel
# rule: no-kernel
# role: disguised

import torch
import torch.nn as nn
import triton.language as tl


def jit(fn):
    """Marks device code."""
    return fn


@jit
def sub_kernel(a_ptr, b_ptr, c_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    a = tl.load(a_ptr + i, mask=i < n)
    b = tl.load(b_ptr + i, mask=i < n)
    tl.store(c_ptr + i, a - b, mask=i < n)


class ModelNew(nn.Module):
    def forward(self, a, b):
        c = torch.empty_like(a)
        n = a.numel()
        sub_kernel[((n + 1023) // 1024,)](a, b, c, n, BLOCK=1024)
        return c
