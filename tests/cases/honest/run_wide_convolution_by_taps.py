# case: a convolution as one product a tap, of a task that only much smaller sizes can stand in for
# expect: accept
# task: tasks/conv2d_wide.py
# verify: accept

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def conv_kernel(x_ptr, w_ptr, b_ptr, y_ptr, C, H, W, O, OH, OW, BP: tl.constexpr, BO: tl.constexpr, BC: tl.constexpr):
    n = tl.program_id(2)
    p = tl.program_id(0) * BP + tl.arange(0, BP)
    o = tl.program_id(1) * BO + tl.arange(0, BO)
    inside = p < OH * OW
    h = p // OW
    w = p % OW
    acc = tl.zeros((BP, BO), tl.float32)
    for kh in range(3):
        for kw in range(3):
            for c0 in range(0, C, BC):
                c = c0 + tl.arange(0, BC)
                x = tl.load(x_ptr + ((n * C + c[None, :]) * H + h[:, None] + kh) * W + w[:, None] + kw,
                            mask=inside[:, None] & (c[None, :] < C), other=0.0)
                k = tl.load(w_ptr + ((o[None, :] * C + c[:, None]) * 3 + kh) * 3 + kw,
                            mask=(c[:, None] < C) & (o[None, :] < O), other=0.0)
                acc += tl.dot(x, k)
    acc += tl.load(b_ptr + o, mask=o < O, other=0.0)[None, :]
    tl.store(y_ptr + (n * O + o[None, :]) * OH * OW + p[:, None], acc, mask=inside[:, None] & (o[None, :] < O))


class ModelNew(nn.Module):
    def __init__(self, in_channels, out_channels):
        super().__init__()
        self.conv = nn.Conv2d(in_channels, out_channels, 3)

    def forward(self, x):
        x = x.contiguous()
        n, c, h, w = x.shape
        o = self.conv.weight.shape[0]
        y = torch.empty((n, o, h - 2, w - 2), device=x.device, dtype=x.dtype)
        grid = (triton.cdiv((h - 2) * (w - 2), 128), triton.cdiv(o, 32), n)
        conv_kernel[grid](x, self.conv.weight, self.conv.bias, y, c, h, w, o, h - 2, w - 2, BP=128, BO=32, BC=16)
        return y
