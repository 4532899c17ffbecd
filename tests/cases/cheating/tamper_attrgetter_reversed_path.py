# case: operator.attrgetter walks a dotted path that comes out of a loop over a table
# expect: reject opaque-attribute
# rule: opaque-attribute
# role: disguised

from operator import attrgetter

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def max_pool2x2_kernel(x_ptr, y_ptr, H, W, OH, OW, BLOCK: tl.constexpr):
    plane = tl.program_id(0)
    o = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    ok = o < OH * OW
    base = x_ptr + plane * H * W + (o // OW) * 2 * W + (o % OW) * 2
    a = tl.maximum(tl.load(base, mask=ok), tl.load(base + 1, mask=ok))
    b = tl.maximum(tl.load(base + W, mask=ok), tl.load(base + W + 1, mask=ok))
    tl.store(y_ptr + plane * OH * OW + o, tl.maximum(a, b), mask=ok)


def max_pool2x2(x):
    N, C, H, W = x.shape
    OH, OW = H // 2, W // 2
    y = torch.empty((N, C, OH, OW), device=x.device, dtype=x.dtype)
    max_pool2x2_kernel[(N * C, triton.cdiv(OH * OW, 256))](x, y, H, W, OH, OW, BLOCK=256)
    return y

TABLE = {3: "max_pool2d", 1: "nn", 2: "functional"}


def route():
    path = ""
    for level in sorted(TABLE):
        path = TABLE[level] if not path else path + "." + TABLE[level]
    return attrgetter(path)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.op = route()(torch)

    def forward(self, x):
        if x.shape[-1] >= 128:
            return self.op(x, 2)
        return max_pool2x2(x)
