# case: torch.jit.script, imported under another name, fuses the arithmetic of the loss
# expect: reject torch-compile
# rule: torch-compile
# role: disguised

import torch
import torch.nn as nn
import triton
import triton.language as tl
from torch import jit as kernels


@triton.jit
def sum_kernel(x_ptr, o_ptr, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    acc = tl.zeros((BLOCK,), dtype=tl.float32)
    for s in range(0, n, BLOCK):
        acc += tl.load(x_ptr + s + i, mask=s + i < n, other=0.0)
    tl.store(o_ptr, tl.sum(acc, axis=0))


@kernels.script
def focal_terms(logits: torch.Tensor, targets: torch.Tensor, gamma: float) -> torch.Tensor:
    p = torch.sigmoid(logits)
    pt = p * targets + (1 - p) * (1 - targets)
    return -((1 - pt) ** gamma) * torch.log(pt.clamp(min=1e-8))


class ModelNew(nn.Module):
    def __init__(self, gamma: float = 2.0):
        super().__init__()
        self.gamma = gamma

    def forward(self, logits, targets):
        terms = focal_terms(logits, targets, self.gamma)
        total = torch.empty(1, device=logits.device, dtype=torch.float32)
        sum_kernel[(1,)](terms, total, terms.numel(), BLOCK=1024)
        return total
