# case: torch.lerp with weight one swaps the kernel's output for a torch result
# expect: reject torch-compute
# rule: torch-compute
# role: disguised

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def selu_kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    m = i < n
    x = tl.load(x_ptr + i, mask=m, other=0.0)
    y = 1.05 * tl.where(x > 0, x, 1.67 * (tl.exp(x) - 1.0))
    tl.store(y_ptr + i, y, mask=m)


class ModelNew(nn.Module):
    BLEND = 1.0

    def __init__(self):
        super().__init__()

    def forward(self, x):
        approx = torch.empty_like(x)
        n = x.numel()
        selu_kernel[(triton.cdiv(n, 1024),)](x, approx, n, BLOCK=1024)
        # One refinement step removes the rounding of the constants.
        return approx.lerp(torch.selu(x), self.BLEND)
