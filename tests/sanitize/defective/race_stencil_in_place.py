# The stencil is computed in place: a program reads what its neighbour overwrites.
# rule: data-race
import torch
import triton
import triton.language as tl


@triton.jit
def smooth_kernel(x_ptr, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    left = tl.load(x_ptr + at - 1, mask=(at > 0) & (at < n), other=0.0)  # <-- either
    right = tl.load(x_ptr + at + 1, mask=at + 1 < n, other=0.0)  # <-- either
    tl.store(x_ptr + at, (left + right) * 0.5, mask=at < n)  # <-- either


x = torch.rand(256, device="cuda")
smooth_kernel[(4,)](x, 256, BLOCK=64)
