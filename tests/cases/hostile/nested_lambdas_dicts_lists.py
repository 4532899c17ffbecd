# case: lambdas, dictionaries and lists take turns, eighty of each
# expect: reject nesting-too-deep
# rule: nesting-too-deep
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

identity = (lambda f0: {'k': [(lambda f1: {'k': [(lambda f2: {'k': [(lambda f3: {'k': [(lambda f4: {'k': [(lambda f5: {'k': [(lambda f6: {'k': [(lambda f7: {'k': [(lambda f8: {'k': [(lambda f9: {'k': [(lambda f10: {'k': [(lambda f11: {'k': [(lambda f12: {'k': [(lambda f13: {'k': [(lambda f14: {'k': [(lambda f15: {'k': [(lambda f16: {'k': [(lambda f17: {'k': [(lambda f18: {'k': [(lambda f19: {'k': [(lambda f20: {'k': [(lambda f21: {'k': [(lambda f22: {'k': [(lambda f23: {'k': [(lambda f24: {'k': [(lambda f25: {'k': [(lambda f26: {'k': [(lambda f27: {'k': [(lambda f28: {'k': [(lambda f29: {'k': [(lambda f30: {'k': [(lambda f31: {'k': [(lambda f32: {'k': [(lambda f33: {'k': [(lambda f34: {'k': [(lambda f35: {'k': [(lambda f36: {'k': [(lambda f37: {'k': [(lambda f38: {'k': [(lambda f39: {'k': [(lambda f40: {'k': [(lambda f41: {'k': [(lambda f42: {'k': [(lambda f43: {'k': [(lambda f44: {'k': [(lambda f45: {'k': [(lambda f46: {'k': [(lambda f47: {'k': [(lambda f48: {'k': [(lambda f49: {'k': [(lambda f50: {'k': [(lambda f51: {'k': [(lambda f52: {'k': [(lambda f53: {'k': [(lambda f54: {'k': [(lambda f55: {'k': [(lambda f56: {'k': [(lambda f57: {'k': [(lambda f58: {'k': [(lambda f59: {'k': [(lambda f60: {'k': [(lambda f61: {'k': [(lambda f62: {'k': [(lambda f63: {'k': [(lambda f64: {'k': [(lambda f65: {'k': [(lambda f66: {'k': [(lambda f67: {'k': [(lambda f68: {'k': [(lambda f69: {'k': [(lambda f70: {'k': [(lambda f71: {'k': [(lambda f72: {'k': [(lambda f73: {'k': [(lambda f74: {'k': [(lambda f75: {'k': [(lambda f76: {'k': [(lambda f77: {'k': [(lambda f78: {'k': [(lambda f79: {'k': [None]})]})]})]})]})]})]})]})]})]})]})]})]})]})]})]})]})]})]})]})]})]})]})]})]})]})]})]})]})]})]})]})]})]})]})]})]})]})]})]})]})]})]})]})]})]})]})]})]})]})]})]})]})]})]})]})]})]})]})]})]})]})]})]})]})]})]})]})]})]})]})]})]})]})]})]})]})]})]})]})


class ModelNew(nn.Module):
    def forward(self, x):
        return elu(x, 1.0)
