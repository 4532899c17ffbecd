# case: a star import from torch.nn.functional brings in the name that forward calls
# expect: reject torch-compute
# rule: torch-compute
# role: disguised

import torch
import triton
import triton.language as tl
from torch import nn
from torch.nn.functional import *


@triton.jit
def mean_finish_kernel(loss_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offs = tl.arange(0, BLOCK)
    acc = tl.zeros((BLOCK,), dtype=tl.float32)
    for start in range(0, n, BLOCK):
        acc += tl.load(loss_ptr + start + offs, mask=start + offs < n, other=0.0)
    tl.store(out_ptr, tl.sum(acc, axis=0) / n)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, predictions, targets):
        per_row = cross_entropy(predictions, targets, reduction="none")
        out = torch.empty((), device=per_row.device, dtype=per_row.dtype)
        mean_finish_kernel[(1,)](per_row, out, per_row.numel(), BLOCK=256)
        return out
