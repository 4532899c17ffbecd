# case: a home-made decorator named jit makes an ordinary torch function look like a kernel
# expect: reject no-kernel
# rule: no-kernel
# role: disguised

import functools

import torch
import torch.nn as nn
import triton.language as tl


def jit(fn=None, *, num_warps=4, num_stages=2):
    """Attach launch metadata and allow the usual kernel[grid](...) syntax."""
    if fn is None:
        return functools.partial(jit, num_warps=num_warps, num_stages=num_stages)

    class Kernel:
        warps, stages = num_warps, num_stages

        def __getitem__(self, grid):
            self.grid = grid
            return fn

    return Kernel()


@jit(num_warps=8)
def pairwise_distance_kernel(a_ptr, b_ptr, out_ptr, M, N, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr):
    a_sq = a_ptr.square().sum(1, keepdim=True)
    b_sq = b_ptr.square().sum(1).unsqueeze(0)
    acc = a_sq + b_sq - 2.0 * a_ptr.mm(b_ptr.t())
    out_ptr.copy_(acc.clamp_min(0.0).sqrt())


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, a, b):
        M, N = a.shape[0], b.shape[0]
        out = torch.empty((M, N), device=a.device, dtype=a.dtype)
        pairwise_distance_kernel[(M // 32 + 1, N // 32 + 1)](a, b, out, M, N, BLOCK_M=32, BLOCK_N=32)
        return out
