# case: torch.ops.aten is bound to a short name and a convolution overload is called through it
# expect: reject torch-compute
# rule: torch-compute
# role: disguised

import torch
import torch.nn as nn
import triton
import triton.language as tl

k = torch.ops.aten


@triton.jit
def add_channel_bias_kernel(x_ptr, bias_ptr, y_ptr, channels, plane, BLOCK: tl.constexpr):
    nc = tl.program_id(0)
    offs = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    mask = offs < plane
    b = tl.load(bias_ptr + nc % channels)
    x = tl.load(x_ptr + nc * plane + offs, mask=mask)
    tl.store(y_ptr + nc * plane + offs, x + b, mask=mask)


class ModelNew(nn.Module):
    def __init__(self, in_channels, out_channels, kernel_size):
        super().__init__()
        conv = nn.Conv2d(in_channels, out_channels, kernel_size)
        self.weight = conv.weight
        self.bias = conv.bias

    def forward(self, x):
        gather = k.convolution.default
        cols = gather(x, self.weight, None, [1, 1], [0, 0], [1, 1], False, [0, 0], 1)
        n, c, h, w = cols.shape
        y = torch.empty_like(cols)
        add_channel_bias_kernel[(n * c, triton.cdiv(h * w, 256))](cols, self.bias, y, c, h * w, BLOCK=256)
        return y
