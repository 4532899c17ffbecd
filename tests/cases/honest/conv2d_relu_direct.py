# case: a strided convolution with ReLU, one output channel a program, and a helper class that holds the sizes
# expect: accept
# task: tasks/conv2d_relu.py
# verify: accept

from dataclasses import dataclass

import torch
import torch.nn as nn
import triton
import triton.language as tl

@dataclass(frozen=True)
class Sizes:
    height: int
    width: int
    kernel: int
    stride: int

    @property
    def out(self):
        return (self.height - self.kernel) // self.stride + 1, (self.width - self.kernel) // self.stride + 1


@triton.jit
def conv_relu_kernel(x_ptr, w_ptr, b_ptr, y_ptr, CI, CO, H, W, OH, OW, K: tl.constexpr, STRIDE: tl.constexpr,
                     BLOCK: tl.constexpr):
    b = tl.program_id(0)
    co = tl.program_id(1)
    o = tl.program_id(2) * BLOCK + tl.arange(0, BLOCK)
    inside = o < OH * OW
    h0 = (o // OW) * STRIDE
    w0 = (o % OW) * STRIDE
    acc = tl.zeros((BLOCK,), dtype=tl.float32)
    for ci in range(CI):
        for i in tl.static_range(K):
            for j in tl.static_range(K):
                x = tl.load(x_ptr + ((b * CI + ci) * H + h0 + i) * W + w0 + j, mask=inside, other=0.0)
                acc += x * tl.load(w_ptr + ((co * CI + ci) * K + i) * K + j)
    acc += tl.load(b_ptr + co)
    tl.store(y_ptr + (b * CO + co) * OH * OW + o, tl.maximum(acc, 0.0), mask=inside)


class ModelNew(nn.Module):
    def __init__(self, in_channels, out_channels, kernel_size, stride):
        super().__init__()
        self.conv = nn.Conv2d(in_channels, out_channels, kernel_size, stride=stride)
        self.kernel_size, self.stride = kernel_size, stride

    def forward(self, x):
        x = x.contiguous()
        B, CI, H, W = x.shape
        sizes = Sizes(H, W, self.kernel_size, self.stride)
        OH, OW = sizes.out
        CO = self.conv.out_channels
        y = torch.empty((B, CO, OH, OW), device=x.device, dtype=x.dtype)
        conv_relu_kernel[(B, CO, triton.cdiv(OH * OW, 64))](
            x, self.conv.weight, self.conv.bias, y, CI, CO, H, W, OH, OW, K=sizes.kernel, STRIDE=sizes.stride, BLOCK=64)
        return y
