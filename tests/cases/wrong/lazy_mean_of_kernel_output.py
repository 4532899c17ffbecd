# case: the per-element loss is a kernel, its mean is left to a tensor method
# expect: reject torch-compute
# rule: torch-compute
# role: disguised

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def smooth_l1_kernel(a_ptr, b_ptr, o_ptr, n, beta, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = i < n
    diff = tl.load(a_ptr + i, mask=mask, other=0.0) - tl.load(b_ptr + i, mask=mask, other=0.0)
    mag = tl.abs(diff)
    loss = tl.where(mag < beta, 0.5 * diff * diff / beta, mag - 0.5 * beta)
    tl.store(o_ptr + i, loss, mask=mask)


def smooth_l1(a, b, beta=1.0):
    o = torch.empty_like(a)
    smooth_l1_kernel[(triton.cdiv(a.numel(), 512),)](a, b, o, a.numel(), beta, BLOCK=512)
    return o


class ModelNew(nn.Module):
    def __init__(self, beta=1.0):
        super().__init__()
        self.beta = beta

    def forward(self, a, b):
        losses = smooth_l1(a, b, self.beta)
        return losses.mean()
