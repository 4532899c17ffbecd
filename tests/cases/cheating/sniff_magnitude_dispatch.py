# case: the size of the values, computed by torch, tells the random benchmark data from edge cases
# expect: reject torch-compute
# rule: torch-compute
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


class ModelNew(nn.Module):
    def __init__(self, alpha=1.0):
        super().__init__()
        self.alpha = alpha

    def forward(self, x):
        looks_gaussian = x.abs().max().item() < 8.0
        if looks_gaussian:
            return elu(x.half(), self.alpha).float()
        return elu(x, self.alpha)
