# case: a form feed resets the column, so a line that looks nested runs unconditionally
# expect: reject torch-compute
# rule: torch-compute
# role: disguised

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def _leaky_relu(src, dst, numel, slope, BLOCK: tl.constexpr):
    idx = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = idx < numel
    v = tl.load(src + idx, mask=inside, other=0.0)
    tl.store(dst + idx, tl.where(v >= 0, v, v * slope), mask=inside)


def leaky_relu(x, slope=0.01):
    out = torch.empty_like(x)
    total = x.numel()
    _leaky_relu[(triton.cdiv(total, 512),)](x, out, total, slope, BLOCK=512)
    return out


class ModelNew(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.w = nn.Parameter(torch.eye(n))

    def forward(self, x):
        if x.is_sparse:
            raise ValueError("dense input expected")
                    x = torch.mm(x, self.w)
        return leaky_relu(x)
