# case: the entry is a plain function, not a class
# expect: accept
# entry: softplus_forward
# task: tasks/softplus.py

import torch
import triton
import triton.language as tl
from triton.language.extra import libdevice


@triton.jit
def softplus_kernel(x_ptr, y_ptr, n, THRESHOLD: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=0.0)
    y = tl.where(x > THRESHOLD, x, libdevice.log1p(tl.exp(tl.minimum(x, THRESHOLD))))
    tl.store(y_ptr + i, y, mask=i < n)


def softplus_forward(x: torch.Tensor) -> torch.Tensor:
    x = x.contiguous()
    y = torch.empty_like(x)
    softplus_kernel[(triton.cdiv(x.numel(), 128),)](x, y, x.numel(), THRESHOLD=20.0, BLOCK=128)
    return y
