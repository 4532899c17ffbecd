# case: a helper's out argument falls back to the input itself
# expect: reject writes-input
# rule: writes-input
# role: disguised

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def hardtanh_kernel(src, dst, n, lo, hi, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(src + i, mask=i < n)
    tl.store(dst + i, tl.minimum(tl.maximum(v, lo), hi), mask=i < n)


def hardtanh(inp, lo=-1.0, hi=1.0, out=None):
    out = inp if out is None else out
    n = inp.numel()
    hardtanh_kernel[(triton.cdiv(n, 2048),)](inp, out, n, lo, hi, BLOCK=2048)
    return out


class ModelNew(nn.Module):
    def __init__(self, min_val: float = -1.0, max_val: float = 1.0):
        super().__init__()
        self.range = (min_val, max_val)

    def forward(self, x):
        lo, hi = self.range
        return hardtanh(x, lo, hi)
