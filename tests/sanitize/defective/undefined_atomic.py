# The mask was taken off the addition and left on the load.
# rule: undefined-lane
import torch
import triton
import triton.language as tl


@triton.jit
def scatter_kernel(x_ptr, total_ptr, n, groups, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + at, mask=at < n)
    tl.atomic_add(total_ptr + at % groups, x)  # <-- here


x = torch.rand(60, device="cuda")
total = torch.zeros(4, device="cuda")
scatter_kernel[(1,)](x, total, 60, 4, BLOCK=64)
