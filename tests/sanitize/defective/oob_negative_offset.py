# A stencil reads its left neighbour, which the first element has not.
# rule: out-of-bounds
import torch
import triton
import triton.language as tl


@triton.jit
def difference_kernel(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = at < n
    left = tl.load(x_ptr + at - 1, mask=inside, other=0.0)  # <-- here
    here = tl.load(x_ptr + at, mask=inside, other=0.0)
    tl.store(out_ptr + at, here - left, mask=inside)


x = torch.rand(300, device="cuda")
out = torch.empty_like(x)
difference_kernel[(3,)](x, out, 300, BLOCK=128)
