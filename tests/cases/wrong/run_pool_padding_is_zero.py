# case: max pooling takes padding for zeros, which win over negative values
# expect: accept
# task: tasks/max_pool2d.py
# verify: reject wrong-result

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def pool_kernel(x_ptr, y_ptr, H, W, OH, OW, K: tl.constexpr, STRIDE: tl.constexpr, PAD: tl.constexpr,
                BLOCK: tl.constexpr):
    plane = tl.program_id(0)
    o = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    oh = o // OW
    ow = o % OW
    inside = o < OH * OW
    best = tl.full((BLOCK,), -float("inf"), dtype=tl.float32)
    for i in tl.static_range(K):
        for j in tl.static_range(K):
            h = oh * STRIDE - PAD + i
            w = ow * STRIDE - PAD + j
            ok = inside & (h >= 0) & (h < H) & (w >= 0) & (w < W)
            best = tl.maximum(best, tl.load(x_ptr + plane * H * W + h * W + w, mask=ok, other=0.0))
    tl.store(y_ptr + plane * OH * OW + o, best, mask=inside)


class ModelNew(nn.Module):
    def __init__(self, kernel_size: int, stride: int, padding: int):
        super().__init__()
        self.k, self.s, self.p = kernel_size, stride, padding

    def forward(self, x):
        x = x.contiguous()
        B, C, H, W = x.shape
        OH = (H + 2 * self.p - self.k) // self.s + 1
        OW = (W + 2 * self.p - self.k) // self.s + 1
        y = torch.empty((B, C, OH, OW), device=x.device, dtype=x.dtype)
        pool_kernel[(B * C, triton.cdiv(OH * OW, 128))](x, y, H, W, OH, OW, K=self.k, STRIDE=self.s, PAD=self.p, BLOCK=128)
        return y
