# case: neighbouring elements are rotated, the task rotates halves
# expect: accept
# task: tasks/rope.py
# verify: reject wrong-result

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def rope_kernel(x_ptr, cos_ptr, sin_ptr, y_ptr, S, D, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    m = c < D // 2
    even = tl.load(x_ptr + row * D + 2 * c, mask=m, other=0.0)
    odd = tl.load(x_ptr + row * D + 2 * c + 1, mask=m, other=0.0)
    cos = tl.load(cos_ptr + (row % S) * (D // 2) + c, mask=m, other=0.0)
    sin = tl.load(sin_ptr + (row % S) * (D // 2) + c, mask=m, other=0.0)
    tl.store(y_ptr + row * D + 2 * c, even * cos - odd * sin, mask=m)
    tl.store(y_ptr + row * D + 2 * c + 1, odd * cos + even * sin, mask=m)


class ModelNew(nn.Module):
    def forward(self, x, cos, sin):
        x = x.contiguous()
        S, D = x.shape[-2:]
        y = torch.empty_like(x)
        rope_kernel[(x.numel() // D,)](x, cos.contiguous(), sin.contiguous(), y, S, D, BLOCK=triton.next_power_of_2(D // 2))
        return y
