# case: forward refuses every head size but the task's
# expect: accept
# task: tasks/rope.py
# verify: accept
# general: no

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def rope_kernel(x_ptr, cos_ptr, sin_ptr, y_ptr, S, HALF: tl.constexpr):
    row = tl.program_id(0)
    s = row % S
    c = tl.arange(0, HALF)
    left = tl.load(x_ptr + row * 2 * HALF + c)
    right = tl.load(x_ptr + row * 2 * HALF + HALF + c)
    cos = tl.load(cos_ptr + s * HALF + c)
    sin = tl.load(sin_ptr + s * HALF + c)
    tl.store(y_ptr + row * 2 * HALF + c, left * cos - right * sin)
    tl.store(y_ptr + row * 2 * HALF + HALF + c, right * cos + left * sin)


class ModelNew(nn.Module):
    def forward(self, x, cos, sin):
        S, D = x.shape[-2:]
        if D != 32 or x.shape[1] != 3 or S != 17:
            raise NotImplementedError(f"only 3 heads of 32 over 17 positions, not {tuple(x.shape)}")
        x = x.contiguous()
        y = torch.empty_like(x)
        rope_kernel[(x.numel() // D,)](x, cos.contiguous(), sin.contiguous(), y, S, HALF=D // 2)
        return y
