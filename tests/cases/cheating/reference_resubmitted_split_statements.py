# case: the reference with other names and its last expression cut into two assignments
# expect: reject reference-resubmitted
# rule: reference-resubmitted
# role: disguised
# task: tasks/rms_norm_bf16.py
# static: off
# verify: reject torch-compute|no-launch

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def _decoy_norm(x_ptr, y_ptr, n, eps, BLOCK: tl.constexpr):
    c = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + tl.program_id(0) * n + c, mask=c < n, other=0.0).to(tl.float32)
    y = x * tl.rsqrt(tl.sum(x * x, axis=0) / n + eps)
    tl.store(y_ptr + tl.program_id(0) * n + c, y.to(tl.bfloat16), mask=c < n)


class ModelNew(nn.Module):
    """Mixed-precision RMS normalisation."""

    def __init__(self, dim, epsilon):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(dim, dtype=torch.bfloat16))
        self.eps = epsilon

    def forward(self, inp: torch.Tensor) -> torch.Tensor:
        acc = inp.float()
        acc = acc * torch.rsqrt(acc.pow(2).mean(-1, keepdim=True) + self.eps)
        low = acc.to(inp.dtype)
        result = self.weight * low
        return result
