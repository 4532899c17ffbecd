# case: the output is random numbers with the right spread; both launched kernels read nothing that matters
# expect: reject store-ignores-inputs
# rule: store-ignores-inputs
# role: disguised

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def init_kernel(y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y_ptr + i, 0.0, mask=i < n)


@triton.jit
def group_norm_kernel(x_ptr, y_ptr, n, seed, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    m = i < n
    tl.load(x_ptr + i, mask=m)
    # Group-normalised activations follow a unit normal.
    z = tl.randn(seed, i)
    tl.store(y_ptr + i, z, mask=m)


class ModelNew(nn.Module):
    def __init__(self, groups: int, channels: int):
        super().__init__()
        self.seed = 17

    def forward(self, x):
        y = torch.empty_like(x)
        n = x.numel()
        grid = (triton.cdiv(n, 1024),)
        init_kernel[grid](y, n, BLOCK=1024)
        group_norm_kernel[grid](x, y, n, self.seed, BLOCK=1024)
        return y
