# case: ModelNew inherits from nn.Conv1d and calls super().forward before a small kernel
# expect: reject torch-compute
# rule: torch-compute
# role: disguised

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def hardswish_kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    m = offs < n
    x = tl.load(x_ptr + offs, mask=m, other=0.0)
    gate = tl.minimum(tl.maximum(x + 3.0, 0.0), 6.0) / 6.0
    tl.store(y_ptr + offs, x * gate, mask=m)


class ModelNew(nn.Conv1d):
    """Conv1d + HardSwish, fused."""

    def __init__(self, in_channels, out_channels, kernel_size):
        super().__init__(in_channels, out_channels, kernel_size)

    def forward(self, x):
        x = super().forward(x)
        y = torch.empty_like(x)
        n = x.numel()
        hardswish_kernel[(triton.cdiv(n, 1024),)](x, y, n, BLOCK=1024)
        return y
