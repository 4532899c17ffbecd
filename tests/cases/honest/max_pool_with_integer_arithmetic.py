# case: pooled maxima by gathering indices in a two-dimensional block
# expect: accept
# task: tasks/max_pool2d.py
# verify: accept

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def pool_kernel(x_ptr, y_ptr, n, H, W, OH, OW, K: tl.constexpr, KK: tl.constexpr, S: tl.constexpr, P: tl.constexpr,
                BLOCK: tl.constexpr):
    o = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    t = tl.arange(0, KK)
    plane = o // (OH * OW)
    h = ((o // OW) % OH)[:, None] * S - P + (t // K)[None, :]
    w = (o % OW)[:, None] * S - P + (t % K)[None, :]
    ok = (o[:, None] < n) & (t[None, :] < K * K) & (h >= 0) & (h < H) & (w >= 0) & (w < W)
    x = tl.load(x_ptr + (plane[:, None] * H + h) * W + w, mask=ok, other=-float("inf"))
    tl.store(y_ptr + o, tl.max(x, axis=1), mask=o < n)


class ModelNew(nn.Module):
    def __init__(self, kernel_size: int, stride: int, padding: int):
        super().__init__()
        self.kernel_size, self.stride, self.padding = kernel_size, stride, padding

    def forward(self, x):
        x = x.contiguous()
        B, C, H, W = x.shape
        OH, OW = ((size + 2 * self.padding - self.kernel_size) // self.stride + 1 for size in (H, W))
        y = torch.empty((B, C, OH, OW), device=x.device, dtype=x.dtype)
        k = self.kernel_size
        pool_kernel[(triton.cdiv(y.numel(), 64),)](x, y, y.numel(), H, W, OH, OW, K=k, KK=triton.next_power_of_2(k * k),
                                                   S=self.stride, P=self.padding, BLOCK=64)
        return y
