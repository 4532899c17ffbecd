# case: weight, bias and running statistics are folded by a small kernel, applied by another
# expect: accept
# task: tasks/batch_norm_relu.py
# verify: accept

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def fold_kernel(w_ptr, b_ptr, mean_ptr, var_ptr, scale_ptr, shift_ptr, C, eps, BLOCK: tl.constexpr):
    c = tl.arange(0, BLOCK)
    m = c < C
    scale = tl.load(w_ptr + c, mask=m, other=0.0) * tl.rsqrt(tl.load(var_ptr + c, mask=m, other=1.0) + eps)
    shift = tl.load(b_ptr + c, mask=m, other=0.0) - tl.load(mean_ptr + c, mask=m, other=0.0) * scale
    tl.store(scale_ptr + c, scale, mask=m)
    tl.store(shift_ptr + c, shift, mask=m)


@triton.jit
def apply_kernel(x_ptr, scale_ptr, shift_ptr, y_ptr, n, C, HW, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    m = i < n
    ch = (i // HW) % C
    x = tl.load(x_ptr + i, mask=m, other=0.0)
    y = x * tl.load(scale_ptr + ch, mask=m, other=0.0) + tl.load(shift_ptr + ch, mask=m, other=0.0)
    tl.store(y_ptr + i, tl.maximum(y, 0.0), mask=m)


class ModelNew(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.bn = nn.BatchNorm2d(channels)

    def forward(self, x):
        x = x.contiguous()
        B, C, H, W = x.shape
        scale, shift = torch.empty((2, C), device=x.device, dtype=torch.float32).unbind(0)
        bn = self.bn
        fold_kernel[(1,)](bn.weight, bn.bias, bn.running_mean, bn.running_var, scale, shift, C, bn.eps,
                          BLOCK=triton.next_power_of_2(C))
        y = torch.empty_like(x)
        apply_kernel[(triton.cdiv(x.numel(), 512),)](x, scale, shift, y, x.numel(), C, H * W, BLOCK=512)
        return y
