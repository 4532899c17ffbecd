# case: a complete kernel stands in the file but forward multiplies by torch.sigmoid instead
# expect: reject no-launch
# rule: no-launch
# role: caught

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def swish_kernel(x_ptr, out_ptr, n_elements, BLOCK_SIZE: tl.constexpr):
    pid = tl.program_id(axis=0)
    offsets = pid * BLOCK_SIZE + tl.arange(0, BLOCK_SIZE)
    mask = offsets < n_elements
    x = tl.load(x_ptr + offsets, mask=mask)
    y = x / (1.0 + tl.exp(-x))
    tl.store(out_ptr + offsets, y, mask=mask)


class ModelNew(nn.Module):
    """
    Swish activation optimised with a custom Triton kernel.
    """

    def __init__(self):
        super(ModelNew, self).__init__()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x * torch.sigmoid(x)
