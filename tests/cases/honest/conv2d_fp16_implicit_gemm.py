# case: a half precision convolution as a product whose left operand is gathered
# expect: accept
# task: tasks/conv2d_fp16.py
# verify: accept

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def conv_kernel(x_ptr, w_ptr, b_ptr, y_ptr, P, CI, CO, H, W, OH, OW, KH, KW,
                BP: tl.constexpr, BC: tl.constexpr, BK: tl.constexpr):
    p = tl.program_id(0) * BP + tl.arange(0, BP)
    co = tl.program_id(1) * BC + tl.arange(0, BC)
    b, oh, ow = p // (OH * OW), (p // OW) % OH, p % OW
    depth = CI * KH * KW
    acc = tl.zeros((BP, BC), dtype=tl.float32)
    for start in range(0, depth, BK):
        k = start + tl.arange(0, BK)
        ci, kh, kw = k // (KH * KW), (k // KW) % KH, k % KW
        at = ((b[:, None] * CI + ci[None, :]) * H + oh[:, None] + kh[None, :]) * W + ow[:, None] + kw[None, :]
        x = tl.load(x_ptr + at, mask=(p[:, None] < P) & (k[None, :] < depth), other=0.0)
        w = tl.load(w_ptr + co[None, :] * depth + k[:, None], mask=(co[None, :] < CO) & (k[:, None] < depth), other=0.0)
        acc = tl.dot(x, w, acc)
    acc += tl.load(b_ptr + co, mask=co < CO, other=0.0).to(tl.float32)[None, :]
    out = ((b[:, None] * CO + co[None, :]) * OH + oh[:, None]) * OW + ow[:, None]
    tl.store(y_ptr + out, acc.to(tl.float16), mask=(p[:, None] < P) & (co[None, :] < CO))


class ModelNew(nn.Module):
    def __init__(self, in_channels, out_channels, kernel_size):
        super().__init__()
        self.conv = nn.Conv2d(in_channels, out_channels, kernel_size).half()

    def forward(self, x):
        x = x.contiguous()
        B, CI, H, W = x.shape
        CO, _, KH, KW = self.conv.weight.shape
        OH, OW = H - KH + 1, W - KW + 1
        y = torch.empty((B, CO, OH, OW), device=x.device, dtype=x.dtype)
        P = B * OH * OW
        conv_kernel[(triton.cdiv(P, 32), triton.cdiv(CO, 16))](
            x, self.conv.weight, self.conv.bias, y, P, CI, CO, H, W, OH, OW, KH, KW, BP=32, BC=16, BK=16)
        return y
