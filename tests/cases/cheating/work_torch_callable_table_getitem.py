# case: an object indexed like a grid returns torch.cdist, so the torch call reads as kernel[grid](...)
# expect: reject torch-compute
# rule: torch-compute
# role: disguised

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def rbf_kernel(d_ptr, k_ptr, n, gamma, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    d = tl.load(d_ptr + i, mask=i < n, other=0.0)
    tl.store(k_ptr + i, tl.exp(-gamma * d * d), mask=i < n)


class _DistanceKernel:
    def __init__(self, impl):
        self.impl = impl

    def __getitem__(self, grid):
        return self.impl


distance_kernel = _DistanceKernel(torch.cdist)


class ModelNew(nn.Module):
    def __init__(self, gamma: float):
        super().__init__()
        self.gamma = gamma

    def forward(self, a, b):
        grid = (triton.cdiv(a.shape[0], 32), triton.cdiv(b.shape[0], 32))
        dist = distance_kernel[grid](a, b)
        out = torch.empty_like(dist)
        n = dist.numel()
        rbf_kernel[(triton.cdiv(n, 1024),)](dist, out, n, self.gamma, BLOCK=1024)
        return out
