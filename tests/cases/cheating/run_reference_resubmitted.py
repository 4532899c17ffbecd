# case: the reference under the candidate's name, with a kernel that nobody calls
# expect: reject reference-resubmitted
# task: tasks/cosine_similarity.py
# static: off
# verify: reject torch-compute|no-launch

import torch
import torch.nn as nn
import triton
import triton.language as tl
import torch.nn.functional as F


@triton.jit
def dot_kernel(a_ptr, b_ptr, out_ptr, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    a = tl.load(a_ptr + row * n + c, mask=c < n, other=0.0)
    b = tl.load(b_ptr + row * n + c, mask=c < n, other=0.0)
    tl.store(out_ptr + row, tl.sum(a * b, axis=0))


class ModelNew(nn.Module):
    """Cosine of the angle between rows of two matrices."""

    def __init__(self):
        super().__init__()

    def forward(self, a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
        return F.cosine_similarity(a, b, dim=1)
