# The grid is computed with half of the block that the kernel uses.
# rule: out-of-bounds
import torch
import triton
import triton.language as tl


@triton.jit
def square_kernel(x_ptr, out_ptr, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + at % 64)
    tl.store(out_ptr + at, x * x)  # <-- here


x = torch.rand(64, device="cuda")
out = torch.empty_like(x)
square_kernel[(triton.cdiv(64, 16),)](x, out, BLOCK=32)
