# case: a decorator leaves work for the interpreter's exit
# expect: reject background-work
# rule: background-work
# role: disguised

from atexit import register as finally_run

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

pending = []


@finally_run
def flush():
    while pending:
        leaky_relu(*pending.pop())


class ModelNew(nn.Module):
    def __init__(self, slope=0.2):
        super().__init__()
        self.slope = slope

    def forward(self, x):
        pending.append((x, self.slope))
        return leaky_relu(x[:1], self.slope).expand_as(x)
