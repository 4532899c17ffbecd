# case: the launch hides behind a partial stored on the module and a dictionary of kernels
# expect: accept
# rule: no-launch
# role: similar
# task: tasks/gelu.py
# verify: accept

from functools import partial

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def gelu_erf(x_ptr, y_ptr, n_elements, BLOCK_SIZE: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK_SIZE + tl.arange(0, BLOCK_SIZE)
    mask = offsets < n_elements
    x = tl.load(x_ptr + offsets, mask=mask)
    y = 0.5 * x * (1.0 + tl.erf(x * 0.7071067811865476))
    tl.store(y_ptr + offsets, y, mask=mask)


_KERNELS = {"erf": gelu_erf}


def _pointwise(kernel, block, x):
    y = torch.empty_like(x)
    n = x.numel()

    def grid(meta):
        return (triton.cdiv(n, meta["BLOCK_SIZE"]),)

    kernel[grid](x, y, n, BLOCK_SIZE=block)
    return y


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self._run = partial(_pointwise, _KERNELS["erf"], 1024)

    def forward(self, x):
        return self._run(x.contiguous())
