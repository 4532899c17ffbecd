# case: rotary embedding, one program a row
# expect: accept
# task: tasks/rope.py
# verify: accept

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def rope_kernel(x_ptr, cos_ptr, sin_ptr, y_ptr, seq, half, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    pos = row % seq
    c = tl.arange(0, BLOCK)
    m = c < half
    left = tl.load(x_ptr + row * 2 * half + c, mask=m, other=0.0)
    right = tl.load(x_ptr + row * 2 * half + half + c, mask=m, other=0.0)
    cos = tl.load(cos_ptr + pos * half + c, mask=m, other=0.0)
    sin = tl.load(sin_ptr + pos * half + c, mask=m, other=0.0)
    tl.store(y_ptr + row * 2 * half + c, left * cos - right * sin, mask=m)
    tl.store(y_ptr + row * 2 * half + half + c, right * cos + left * sin, mask=m)


class ModelNew(nn.Module):
    def forward(self, x, cos, sin):
        x, cos, sin = (t.contiguous() for t in (x, cos, sin))
        half = x.shape[-1] // 2
        y = torch.empty_like(x)
        rows = x.numel() // x.shape[-1]
        rope_kernel[(rows,)](x, cos, sin, y, x.shape[-2], half, BLOCK=triton.next_power_of_2(half))
        return y
