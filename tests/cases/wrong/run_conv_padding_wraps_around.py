# case: columns left of an image are read from the row above
# expect: accept
# task: tasks/depthwise_conv2d.py
# verify: reject wrong-result|out-of-bounds

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def depthwise_kernel(x_ptr, w_ptr, b_ptr, y_ptr, C, H, W, K: tl.constexpr, PAD: tl.constexpr, BLOCK: tl.constexpr):
    plane = tl.program_id(0)
    o = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    oh, ow = o // W, o % W
    acc = tl.zeros((BLOCK,), dtype=tl.float32) + tl.load(b_ptr + plane % C)
    for i in tl.static_range(K):
        for j in tl.static_range(K):
            at = (oh + i - PAD) * W + ow + j - PAD
            ok = (o < H * W) & (at >= 0) & (at < H * W)
            acc += tl.load(x_ptr + plane * H * W + at, mask=ok, other=0.0) * tl.load(w_ptr + (plane % C) * K * K + i * K + j)
    tl.store(y_ptr + plane * H * W + o, acc, mask=o < H * W)


class ModelNew(nn.Module):
    def __init__(self, channels, kernel_size, padding):
        super().__init__()
        self.conv = nn.Conv2d(channels, channels, kernel_size, padding=padding, groups=channels)
        self.k, self.p = kernel_size, padding

    def forward(self, x):
        x = x.contiguous()
        B, C, H, W = x.shape
        y = torch.empty_like(x)
        depthwise_kernel[(B * C, triton.cdiv(H * W, 128))](
            x, self.conv.weight, self.conv.bias, y, C, H, W, K=self.k, PAD=self.p, BLOCK=128)
        return y
