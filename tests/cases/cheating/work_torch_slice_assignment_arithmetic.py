# case: the kernel handles the first half and subscript assignments with tensor arithmetic do the rest
# expect: reject torch-compute
# rule: torch-compute
# role: disguised

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def rope_first_half_kernel(x_ptr, cos_ptr, sin_ptr, o_ptr, half, D, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    m = c < half
    a = tl.load(x_ptr + row * D + c, mask=m)
    b = tl.load(x_ptr + row * D + half + c, mask=m)
    cs = tl.load(cos_ptr + row * half + c, mask=m)
    sn = tl.load(sin_ptr + row * half + c, mask=m)
    tl.store(o_ptr + row * D + c, a * cs - b * sn, mask=m)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, x, cos, sin):
        rows, D = x.shape
        half = D // 2
        out = torch.empty_like(x)
        rope_first_half_kernel[(rows,)](x, cos, sin, out, half, D, BLOCK=triton.next_power_of_2(half))
        out[:, half:] = x[:, half:] * cos
        out[:, half:] += x[:, :half] * sin
        return out
