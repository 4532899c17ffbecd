# case: the builtin sum() adds up squared slices, so torch does the reduction without being named
# expect: reject torch-compute
# rule: torch-compute
# role: disguised

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def rsqrt_kernel(s_ptr, n, inv_count, eps, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    s = tl.load(s_ptr + i, mask=i < n, other=1.0)
    tl.store(s_ptr + i, tl.rsqrt(s * inv_count + eps), mask=i < n)


class ModelNew(nn.Module):
    """Inverse RMS over the channel dimension."""

    def __init__(self, num_features: int, eps: float = 1e-5):
        super().__init__()
        self.num_features = num_features
        self.eps = eps

    def forward(self, x):
        planes = x.unbind(dim=1)
        total = sum(p * p for p in planes)
        n = total.numel()
        rsqrt_kernel[(triton.cdiv(n, 256),)](total, n, 1.0 / self.num_features, self.eps, BLOCK=256)
        return total.unsqueeze(1)
