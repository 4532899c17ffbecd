# The offset is counted in bytes, but pointers count elements.
# rule: out-of-bounds
import torch
import triton
import triton.language as tl


@triton.jit
def copy_kernel(x_ptr, out_ptr, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + at * 4)  # <-- here
    tl.store(out_ptr + at, x)


x = torch.rand(32, device="cuda")
out = torch.empty_like(x)
copy_kernel[(1,)](x, out, BLOCK=32)
