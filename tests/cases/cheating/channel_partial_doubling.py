# case: each partial wraps the two before it, so resolving the last one takes billions of steps
# expect: reject too-complex
# rule: too-complex
# role: disguised

from functools import partial

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def silu_kernel(in_ptr, out_ptr, size, BLOCK_SIZE: tl.constexpr):
    offs = tl.program_id(0) * BLOCK_SIZE + tl.arange(0, BLOCK_SIZE)
    m = offs < size
    val = tl.load(in_ptr + offs, mask=m, other=0.0)
    res = val * tl.sigmoid(val)
    tl.store(out_ptr + offs, res, mask=m)


def swish(x):
    out = torch.empty_like(x)
    size = x.numel()
    silu_kernel[(triton.cdiv(size, 256),)](x, out, size, BLOCK_SIZE=256)
    return out


def twice(fn, other, x):
    return fn(other(fn(x)))


g0, h0 = swish, torch.sigmoid
g1, h1 = partial(twice, g0, h0), partial(twice, h0, g0)
g2, h2 = partial(twice, g1, h1), partial(twice, h1, g1)
g3, h3 = partial(twice, g2, h2), partial(twice, h2, g2)
g4, h4 = partial(twice, g3, h3), partial(twice, h3, g3)
g5, h5 = partial(twice, g4, h4), partial(twice, h4, g4)
g6, h6 = partial(twice, g5, h5), partial(twice, h5, g5)
g7, h7 = partial(twice, g6, h6), partial(twice, h6, g6)
g8, h8 = partial(twice, g7, h7), partial(twice, h7, g7)
g9, h9 = partial(twice, g8, h8), partial(twice, h8, g8)
g10, h10 = partial(twice, g9, h9), partial(twice, h9, g9)
g11, h11 = partial(twice, g10, h10), partial(twice, h10, g10)
g12, h12 = partial(twice, g11, h11), partial(twice, h11, g11)
g13, h13 = partial(twice, g12, h12), partial(twice, h12, g12)
g14, h14 = partial(twice, g13, h13), partial(twice, h13, g13)
g15, h15 = partial(twice, g14, h14), partial(twice, h14, g14)
g16, h16 = partial(twice, g15, h15), partial(twice, h15, g15)
g17, h17 = partial(twice, g16, h16), partial(twice, h16, g16)
g18, h18 = partial(twice, g17, h17), partial(twice, h17, g17)
g19, h19 = partial(twice, g18, h18), partial(twice, h18, g18)
g20, h20 = partial(twice, g19, h19), partial(twice, h19, g19)
g21, h21 = partial(twice, g20, h20), partial(twice, h20, g20)
g22, h22 = partial(twice, g21, h21), partial(twice, h21, g21)
g23, h23 = partial(twice, g22, h22), partial(twice, h22, g22)
g24, h24 = partial(twice, g23, h23), partial(twice, h23, g23)
g25, h25 = partial(twice, g24, h24), partial(twice, h24, g24)
g26, h26 = partial(twice, g25, h25), partial(twice, h25, g25)
g27, h27 = partial(twice, g26, h26), partial(twice, h26, g26)
g28, h28 = partial(twice, g27, h27), partial(twice, h27, g27)
g29, h29 = partial(twice, g28, h28), partial(twice, h28, g28)
g30, h30 = partial(twice, g29, h29), partial(twice, h29, g29)
g31, h31 = partial(twice, g30, h30), partial(twice, h30, g30)
g32, h32 = partial(twice, g31, h31), partial(twice, h31, g31)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, x):
        return g32(x) if x.numel() == 0 else swish(x)
