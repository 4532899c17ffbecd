# case: the class body has an honest forward, and a line below it swaps in a torch version
# expect: reject no-launch
# rule: no-launch
# role: disguised

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def frobenius_partial_kernel(x_ptr, part_ptr, n, BLOCK: tl.constexpr):
    pid = tl.program_id(0)
    offs = pid * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x_ptr + offs, mask=offs < n, other=0.0)
    tl.store(part_ptr + pid, tl.sum(v * v, axis=0))


@triton.jit
def scale_kernel(x_ptr, y_ptr, part_ptr, n, n_parts, BLOCK: tl.constexpr, PARTS: tl.constexpr):
    p = tl.arange(0, PARTS)
    total = tl.sum(tl.load(part_ptr + p, mask=p < n_parts, other=0.0), axis=0)
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x_ptr + offs, mask=offs < n)
    tl.store(y_ptr + offs, v / tl.sqrt(total), mask=offs < n)


class ModelNew(nn.Module):
    """Frobenius normalisation in two kernels: partial sums, then scaling."""

    def __init__(self):
        super().__init__()

    def forward(self, x):
        n = x.numel()
        blocks = triton.cdiv(n, 4096)
        parts = torch.empty(blocks, device=x.device, dtype=torch.float32)
        y = torch.empty_like(x)
        frobenius_partial_kernel[(blocks,)](x, parts, n, BLOCK=4096)
        scale_kernel[(blocks,)](x, y, parts, n, blocks, BLOCK=4096, PARTS=triton.next_power_of_2(blocks))
        return y


def _forward(self, x):
    return x.div(x.norm())


ModelNew.forward = _forward
