# case: lambdas that capture each other as defaults double with every line
# expect: reject too-complex
# rule: too-complex
# role: disguised

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def elu_kernel(inp, out, numel, alpha, TILE: tl.constexpr):
    base = tl.program_id(0) * TILE
    lane = base + tl.arange(0, TILE)
    keep = lane < numel
    a = tl.load(inp + lane, mask=keep, other=0.0)
    b = tl.where(a > 0, a, alpha * (tl.exp(a) - 1.0))
    tl.store(out + lane, b, mask=keep)


def elu(x, alpha=1.0):
    out = torch.empty_like(x)
    grid = (triton.cdiv(x.numel(), 1024), 1, 1)
    elu_kernel[grid](x, out, x.numel(), alpha, TILE=1024)
    return out


def pick(flag, a, b):
    return a if flag else b


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, x):
        s, t = elu, (lambda v: v)
        s, t = (lambda v, s=s, t=t: s(t(s(v)))), (lambda v, s=s, t=t: t(s(t(v))))
        s, t = (lambda v, s=s, t=t: s(t(s(v)))), (lambda v, s=s, t=t: t(s(t(v))))
        s, t = (lambda v, s=s, t=t: s(t(s(v)))), (lambda v, s=s, t=t: t(s(t(v))))
        s, t = (lambda v, s=s, t=t: s(t(s(v)))), (lambda v, s=s, t=t: t(s(t(v))))
        s, t = (lambda v, s=s, t=t: s(t(s(v)))), (lambda v, s=s, t=t: t(s(t(v))))
        s, t = (lambda v, s=s, t=t: s(t(s(v)))), (lambda v, s=s, t=t: t(s(t(v))))
        s, t = (lambda v, s=s, t=t: s(t(s(v)))), (lambda v, s=s, t=t: t(s(t(v))))
        s, t = (lambda v, s=s, t=t: s(t(s(v)))), (lambda v, s=s, t=t: t(s(t(v))))
        s, t = (lambda v, s=s, t=t: s(t(s(v)))), (lambda v, s=s, t=t: t(s(t(v))))
        s, t = (lambda v, s=s, t=t: s(t(s(v)))), (lambda v, s=s, t=t: t(s(t(v))))
        s, t = (lambda v, s=s, t=t: s(t(s(v)))), (lambda v, s=s, t=t: t(s(t(v))))
        s, t = (lambda v, s=s, t=t: s(t(s(v)))), (lambda v, s=s, t=t: t(s(t(v))))
        s, t = (lambda v, s=s, t=t: s(t(s(v)))), (lambda v, s=s, t=t: t(s(t(v))))
        s, t = (lambda v, s=s, t=t: s(t(s(v)))), (lambda v, s=s, t=t: t(s(t(v))))
        s, t = (lambda v, s=s, t=t: s(t(s(v)))), (lambda v, s=s, t=t: t(s(t(v))))
        s, t = (lambda v, s=s, t=t: s(t(s(v)))), (lambda v, s=s, t=t: t(s(t(v))))
        s, t = (lambda v, s=s, t=t: s(t(s(v)))), (lambda v, s=s, t=t: t(s(t(v))))
        s, t = (lambda v, s=s, t=t: s(t(s(v)))), (lambda v, s=s, t=t: t(s(t(v))))
        s, t = (lambda v, s=s, t=t: s(t(s(v)))), (lambda v, s=s, t=t: t(s(t(v))))
        s, t = (lambda v, s=s, t=t: s(t(s(v)))), (lambda v, s=s, t=t: t(s(t(v))))
        s, t = (lambda v, s=s, t=t: s(t(s(v)))), (lambda v, s=s, t=t: t(s(t(v))))
        s, t = (lambda v, s=s, t=t: s(t(s(v)))), (lambda v, s=s, t=t: t(s(t(v))))
        s, t = (lambda v, s=s, t=t: s(t(s(v)))), (lambda v, s=s, t=t: t(s(t(v))))
        s, t = (lambda v, s=s, t=t: s(t(s(v)))), (lambda v, s=s, t=t: t(s(t(v))))
        s, t = (lambda v, s=s, t=t: s(t(s(v)))), (lambda v, s=s, t=t: t(s(t(v))))
        s, t = (lambda v, s=s, t=t: s(t(s(v)))), (lambda v, s=s, t=t: t(s(t(v))))
        s, t = (lambda v, s=s, t=t: s(t(s(v)))), (lambda v, s=s, t=t: t(s(t(v))))
        s, t = (lambda v, s=s, t=t: s(t(s(v)))), (lambda v, s=s, t=t: t(s(t(v))))
        s, t = (lambda v, s=s, t=t: s(t(s(v)))), (lambda v, s=s, t=t: t(s(t(v))))
        s, t = (lambda v, s=s, t=t: s(t(s(v)))), (lambda v, s=s, t=t: t(s(t(v))))
        return pick(x.numel() < 0, s, elu)(x)
