# case: events made by a partial let forward return before the work is done
# expect: reject streams-and-events
# rule: streams-and-events
# role: disguised

from functools import partial

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

make_marker = partial(torch.cuda.Event, enable_timing=False, blocking=False)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.marker = make_marker()

    def forward(self, x):
        y = max_pool2x2(x)
        self.marker.record()
        return y if self.marker.query() else y.detach()
