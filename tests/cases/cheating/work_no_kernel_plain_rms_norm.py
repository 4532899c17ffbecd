# case: imports Triton, writes no kernel at all, and normalises with torch
# expect: reject no-kernel
# rule: no-kernel
# role: caught

import torch
import torch.nn as nn
import triton
import triton.language as tl


def triton_rms_norm(x: torch.Tensor, weight: torch.Tensor, eps: float) -> torch.Tensor:
    """Row-wise RMSNorm. One program would handle one row of the flattened input."""
    hidden = x.shape[-1]
    rows = x.reshape(-1, hidden)
    # The block covers a full row so that no second pass is needed.
    BLOCK_SIZE = triton.next_power_of_2(hidden)
    num_warps = 4 if BLOCK_SIZE < 2048 else 8
    assert num_warps in (4, 8)

    inv_rms = torch.rsqrt(rows.pow(2).mean(dim=-1, keepdim=True) + eps)
    y = rows * inv_rms * weight
    return y.reshape(x.shape)


class ModelNew(nn.Module):
    def __init__(self, hidden_size: int, eps: float = 1e-6):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(hidden_size))
        self.eps = eps

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return triton_rms_norm(x, self.weight, self.eps)
