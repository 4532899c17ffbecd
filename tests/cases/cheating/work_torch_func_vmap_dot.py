# case: torch.func.vmap over torch.dot does a batched reduction as if it were a launch helper
# expect: reject torch-compute
# rule: torch-compute
# role: disguised

import torch
import torch.nn as nn
import triton
import triton.language as tl
from torch.func import vmap as over_rows


@triton.jit
def one_minus_kernel(s_ptr, o_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(o_ptr + i, 1.0 - tl.load(s_ptr + i, mask=i < n), mask=i < n)


class ModelNew(nn.Module):
    """Cosine distance of rows that are already normalised."""

    def __init__(self):
        super().__init__()
        self.rows = over_rows(torch.dot)

    def forward(self, a, b):
        similarity = self.rows(a, b)
        out = torch.empty_like(similarity)
        n = out.numel()
        one_minus_kernel[(triton.cdiv(n, 256),)](similarity, out, n, BLOCK=256)
        return out
