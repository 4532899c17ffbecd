# case: the taps of a depthwise convolution unrolled
# expect: accept
# task: tasks/depthwise_conv2d.py
# verify: accept

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def depthwise_kernel(x_ptr, w_ptr, b_ptr, y_ptr, C, H, W, OH, OW, K: tl.constexpr, PAD: tl.constexpr, BLOCK: tl.constexpr):
    plane = tl.program_id(0)
    ch = plane % C
    o = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    oh = o // OW
    ow = o % OW
    acc = tl.zeros((BLOCK,), dtype=tl.float32)
    for i in tl.static_range(K):
        for j in tl.static_range(K):
            h = oh + i - PAD
            w = ow + j - PAD
            ok = (o < OH * OW) & (h >= 0) & (h < H) & (w >= 0) & (w < W)
            acc += tl.load(x_ptr + plane * H * W + h * W + w, mask=ok, other=0.0) * tl.load(w_ptr + (ch * K + i) * K + j)
    tl.store(y_ptr + plane * OH * OW + o, acc + tl.load(b_ptr + ch), mask=o < OH * OW)


class ModelNew(nn.Module):
    def __init__(self, channels, kernel_size, padding):
        super().__init__()
        self.conv = nn.Conv2d(channels, channels, kernel_size, padding=padding, groups=channels)
        self.kernel_size, self.padding = kernel_size, padding

    def forward(self, x):
        x = x.contiguous()
        B, C, H, W = x.shape
        OH, OW = (size + 2 * self.padding - self.kernel_size + 1 for size in (H, W))
        y = torch.empty((B, C, OH, OW), device=x.device, dtype=x.dtype)
        depthwise_kernel[(B * C, triton.cdiv(OH * OW, 128))](
            x, self.conv.weight, self.conv.bias, y, C, H, W, OH, OW, K=self.kernel_size, PAD=self.padding, BLOCK=128)
        return y
