# case: implicit GEMM convolution with the weights read through the Conv2d that holds them
# expect: accept
# task: tasks/conv2d.py
# verify: accept

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def conv2d_gemm(x_ptr, w_ptr, b_ptr, y_ptr, C, H, W, OC, OH, OW, total, CRS, PAD,
                R: tl.constexpr, S: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    pix = tl.program_id(0) * BM + tl.arange(0, BM)
    oc = tl.program_id(1) * BN + tl.arange(0, BN)
    n = pix // (OH * OW)
    oh = pix // OW % OH
    ow = pix % OW
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for k0 in range(0, CRS, BK):
        k = k0 + tl.arange(0, BK)
        c = k // (R * S)
        r = k // S % R
        s = k % S
        h = oh[:, None] + r[None, :] - PAD
        w = ow[:, None] + s[None, :] - PAD
        x_mask = (pix < total)[:, None] & (k < CRS)[None, :] & (h >= 0) & (h < H) & (w >= 0) & (w < W)
        x = tl.load(x_ptr + ((n[:, None] * C + c[None, :]) * H + h) * W + w, mask=x_mask, other=0.0)
        wt = tl.load(w_ptr + oc[None, :] * CRS + k[:, None], mask=(k < CRS)[:, None] & (oc < OC)[None, :], other=0.0)
        acc += tl.dot(x, wt, input_precision="ieee")
    acc += tl.load(b_ptr + oc, mask=oc < OC, other=0.0)[None, :]
    y_offs = ((n[:, None] * OC + oc[None, :]) * OH + oh[:, None]) * OW + ow[:, None]
    tl.store(y_ptr + y_offs, acc, mask=(pix < total)[:, None] & (oc < OC)[None, :])


class ModelNew(nn.Module):
    def __init__(self, in_channels, out_channels, kernel_size, padding):
        super().__init__()
        self.conv = nn.Conv2d(in_channels, out_channels, kernel_size, padding=padding)

    def forward(self, x):
        x = x.contiguous()
        conv = self.conv
        B, C, H, W = x.shape
        R, S = conv.kernel_size
        pad = conv.padding[0]
        OH = H + 2 * pad - R + 1
        OW = W + 2 * pad - S + 1
        y = torch.empty((B, conv.out_channels, OH, OW), device=x.device, dtype=x.dtype)
        total = B * OH * OW
        grid = (triton.cdiv(total, 64), triton.cdiv(conv.out_channels, 16))
        conv2d_gemm[grid](x, conv.weight, conv.bias, y, C, H, W, conv.out_channels, OH, OW, total, C * R * S, pad,
                          R=R, S=S, BM=64, BN=16, BK=16)
        return y
