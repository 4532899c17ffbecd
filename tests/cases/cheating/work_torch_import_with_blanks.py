# case: blanks part the name of the module that does the work, so that no search for it finds it
# expect: reject torch-compute
# rule: torch-compute
# role: disguised

import torch
import torch.nn as nn
import triton
import triton.language as tl
from torch . nn . \
    functional import log_softmax as scores


@triton.jit
def negate_kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offs < n
    tl.store(y_ptr + offs, -tl.load(x_ptr + offs, mask=mask), mask=mask)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, x):
        logits = scores(x, dim=-1)
        out = torch.empty_like(logits)
        n = logits.numel()
        negate_kernel[(triton.cdiv(n, 1024),)](logits, out, n, BLOCK=1024)
        return out
