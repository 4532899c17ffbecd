# case: forward calls a helper that the file promises and does not define
# expect: reject undefined-name
# rule: undefined-name
# role: disguised

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def div_kernel(a_ptr, b_ptr, o_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    a = tl.load(a_ptr + i, mask=i < n)
    b = tl.load(b_ptr + i, mask=i < n, other=1.0)
    tl.store(o_ptr + i, a / b, mask=i < n)


class ModelNew(nn.Module):
    """Elementwise division; launch_config (below) picks the block size."""

    def forward(self, a, b):
        o = torch.empty_like(a)
        grid, block = launch_config(a.numel())
        div_kernel[grid](a, b, o, a.numel(), BLOCK=block)
        return o
