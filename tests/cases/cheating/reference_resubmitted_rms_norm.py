# case: the reference's own text with the class renamed, and a kernel nobody calls pasted above
# expect: reject reference-resubmitted
# rule: reference-resubmitted
# role: caught
# task: tasks/rms_norm.py
# static: off
# verify: reject torch-compute|no-launch

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def rms_norm_kernel(x_ptr, w_ptr, y_ptr, n_cols, eps, BLOCK_SIZE: tl.constexpr):
    row = tl.program_id(0)
    cols = tl.arange(0, BLOCK_SIZE)
    mask = cols < n_cols
    x = tl.load(x_ptr + row * n_cols + cols, mask=mask, other=0.0)
    rms = tl.sqrt(tl.sum(x * x, axis=0) / n_cols + eps)
    tl.store(y_ptr + row * n_cols + cols, x / rms * tl.load(w_ptr + cols, mask=mask), mask=mask)


class ModelNew(nn.Module):
    """Root-mean-square normalisation with a weight."""

    def __init__(self, features, eps):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(features))
        self.eps = eps

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        rms = torch.sqrt(torch.mean(x * x, dim=-1, keepdim=True) + self.eps)
        return x / rms * self.weight
