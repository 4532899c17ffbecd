# case: the kernel and its launcher are static attributes of the module's class
# expect: accept
# task: tasks/max_pool2d.py
# verify: accept

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def _max_pool2d(x_ptr, y_ptr, H, W, OH, OW, S, P, K: tl.constexpr, K2: tl.constexpr, BLOCK: tl.constexpr):
    plane = tl.program_id(1)
    o = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    k = tl.arange(0, K2)
    h = (o // OW * S - P)[:, None] + (k // K)[None, :]
    w = (o % OW * S - P)[:, None] + (k % K)[None, :]
    live = (o < OH * OW)[:, None] & (k < K * K)[None, :]
    inside = live & (h >= 0) & (h < H) & (w >= 0) & (w < W)
    x = tl.load(x_ptr + plane * H * W + h * W + w, mask=inside, other=float("-inf"))
    tl.store(y_ptr + plane * OH * OW + o, tl.max(x, axis=1), mask=o < OH * OW)


class ModelNew(nn.Module):
    kernel = _max_pool2d
    block = 64

    def __init__(self, kernel_size: int, stride: int, padding: int):
        super().__init__()
        self.k, self.s, self.p = kernel_size, stride, padding

    @staticmethod
    def output_size(n, k, s, p):
        return (n + 2 * p - k) // s + 1

    def forward(self, x):
        x = x.contiguous()
        b, c, h, w = x.shape
        oh, ow = (self.output_size(n, self.k, self.s, self.p) for n in (h, w))
        y = x.new_empty(b, c, oh, ow)
        ModelNew.kernel[(triton.cdiv(oh * ow, self.block), b * c)](
            x, y, h, w, oh, ow, self.s, self.p, K=self.k, K2=triton.next_power_of_2(self.k * self.k),
            BLOCK=self.block)
        return y
