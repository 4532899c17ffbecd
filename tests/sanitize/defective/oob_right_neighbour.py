# The mask covers the element itself, not the neighbour that is read.
# rule: out-of-bounds
import torch
import triton
import triton.language as tl


@triton.jit
def smooth_kernel(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    left = tl.load(x_ptr + at - 1, mask=(at > 0) & (at < n), other=0.0)
    right = tl.load(x_ptr + at + 1, mask=at < n, other=0.0)  # <-- here
    tl.store(out_ptr + at, (left + right) / 2, mask=at < n)


x = torch.rand(256, device="cuda", dtype=torch.float64)
out = torch.empty_like(x)
smooth_kernel[(2,)](x, out, 256, BLOCK=128)
