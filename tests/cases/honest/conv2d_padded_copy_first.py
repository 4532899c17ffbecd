# case: a kernel copies the image into a padded buffer, and the convolution needs no mask inside
# expect: accept
# task: tasks/depthwise_conv2d.py
# verify: accept

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def pad_kernel(x_ptr, p_ptr, n, H, W, PH, PW, PAD: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    plane = i // (PH * PW)
    h = (i // PW) % PH - PAD
    w = i % PW - PAD
    inside = (i < n) & (h >= 0) & (h < H) & (w >= 0) & (w < W)
    tl.store(p_ptr + i, tl.load(x_ptr + (plane * H + h) * W + w, mask=inside, other=0.0), mask=i < n)


@triton.jit
def conv_kernel(p_ptr, w_ptr, b_ptr, y_ptr, n, C, PH, PW, OH, OW, K: tl.constexpr, BLOCK: tl.constexpr):
    o = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    m = o < n
    plane = o // (OH * OW)
    ch = plane % C
    acc = tl.load(b_ptr + ch, mask=m, other=0.0)
    for i in range(K):
        for j in range(K):
            at = (plane * PH + (o // OW) % OH + i) * PW + o % OW + j
            acc += tl.load(p_ptr + at, mask=m, other=0.0) * tl.load(w_ptr + (ch * K + i) * K + j, mask=m, other=0.0)
    tl.store(y_ptr + o, acc, mask=m)


class ModelNew(nn.Module):
    def __init__(self, channels, kernel_size, padding):
        super().__init__()
        self.conv = nn.Conv2d(channels, channels, kernel_size, padding=padding, groups=channels)

    def forward(self, x):
        x = x.contiguous()
        K, P = self.conv.kernel_size[0], self.conv.padding[0]
        B, C, H, W = x.shape
        PH, PW = H + 2 * P, W + 2 * P
        OH, OW = PH - K + 1, PW - K + 1
        padded = torch.empty((B, C, PH, PW), device=x.device, dtype=x.dtype)
        pad_kernel[(triton.cdiv(padded.numel(), 256),)](x, padded, padded.numel(), H, W, PH, PW, PAD=P, BLOCK=256)
        y = torch.empty((B, C, OH, OW), device=x.device, dtype=x.dtype)
        conv_kernel[(triton.cdiv(y.numel(), 256),)](padded, self.conv.weight, self.conv.bias, y, y.numel(), C,
                                                    PH, PW, OH, OW, K=K, BLOCK=256)
        return y
