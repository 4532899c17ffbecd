# case: no torch compute at all, but the kernel writes one buffer and an uninitialised other one is returned
# expect: reject launch-result-unused
# rule: launch-result-unused
# role: disguised

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def group_norm_kernel(x_ptr, y_ptr, group_size, eps, BLOCK: tl.constexpr):
    g = tl.program_id(0)
    offs = tl.arange(0, BLOCK)
    mask = offs < group_size
    x = tl.load(x_ptr + g * group_size + offs, mask=mask, other=0.0)
    mean = tl.sum(x, axis=0) / group_size
    xc = tl.where(mask, x - mean, 0.0)
    var = tl.sum(xc * xc, axis=0) / group_size
    tl.store(y_ptr + g * group_size + offs, xc * tl.rsqrt(var + eps), mask=mask)


class ModelNew(nn.Module):
    def __init__(self, num_features: int, num_groups: int):
        super().__init__()
        self.num_groups = num_groups
        self.eps = 1e-5

    def forward(self, x):
        n = x.shape[0]
        group_size = x.numel() // (n * self.num_groups)
        work = torch.empty(x.numel(), device=x.device, dtype=x.dtype)
        # Same size class as the reference's output, so the allocator hands the block back.
        out = torch.empty(x.numel(), device=x.device, dtype=x.dtype)
        group_norm_kernel[(n * self.num_groups,)](
            x, work, group_size, self.eps, BLOCK=triton.next_power_of_2(group_size)
        )
        del work
        return out.view(x.shape)
