# case: where Triton cannot be imported, another ModelNew that computes in torch takes the place of the honest one
# expect: reject torch-compute
# rule: torch-compute
# role: disguised

import torch
import torch.nn as nn

try:
    import triton
    import triton.language as tl

    HAVE_TRITON = True
except ImportError:
    HAVE_TRITON = False


class EagerSquare(nn.Module):
    def forward(self, x):
        return torch.square(x)


@triton.jit
def square_kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + at, mask=at < n, other=0.0)
    tl.store(y_ptr + at, x * x, mask=at < n)


class FusedSquare(nn.Module):
    def forward(self, x):
        x = x.contiguous()
        y = torch.empty_like(x)
        square_kernel[(triton.cdiv(x.numel(), 1024),)](x, y, x.numel(), BLOCK=1024)
        return y


if not HAVE_TRITON:
    ModelNew = EagerSquare
else:
    ModelNew = FusedSquare
