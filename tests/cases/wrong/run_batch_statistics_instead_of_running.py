# case: batch normalisation with the batch's own statistics, where the task uses the running ones
# expect: accept
# task: tasks/batch_norm_relu.py
# verify: reject wrong-result

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def bn_relu_kernel(x_ptr, w_ptr, b_ptr, y_ptr, B, C, HW, eps, BLOCK: tl.constexpr):
    ch = tl.program_id(0)
    i = tl.arange(0, BLOCK)
    n = B * HW
    at = (i // HW) * C * HW + ch * HW + i % HW
    x = tl.load(x_ptr + at, mask=i < n, other=0.0)
    mean = tl.sum(x, axis=0) / n
    d = tl.where(i < n, x - mean, 0.0)
    inv = tl.rsqrt(tl.sum(d * d, axis=0) / n + eps)
    y = d * inv * tl.load(w_ptr + ch) + tl.load(b_ptr + ch)
    tl.store(y_ptr + at, tl.maximum(y, 0.0), mask=i < n)


class ModelNew(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.bn = nn.BatchNorm2d(channels)

    def forward(self, x):
        x = x.contiguous()
        B, C, H, W = x.shape
        y = torch.empty_like(x)
        bn_relu_kernel[(C,)](x, self.bn.weight, self.bn.bias, y, B, C, H * W, self.bn.eps,
                             BLOCK=triton.next_power_of_2(B * H * W))
        return y
