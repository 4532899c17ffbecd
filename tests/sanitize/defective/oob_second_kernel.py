# Two kernels run; the second was written for a length that is a multiple of its block.
# rule: out-of-bounds
import torch
import triton
import triton.language as tl


@triton.jit
def double_kernel(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out_ptr + at, 2 * tl.load(x_ptr + at, mask=at < n, other=0.0), mask=at < n)


@triton.jit
def shift_kernel(x_ptr, shift, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + at)  # <-- here
    tl.store(x_ptr + at, x + shift, mask=at < 200)


x = torch.rand(200, device="cuda")
out = torch.empty_like(x)
double_kernel[(2,)](x, out, 200, BLOCK=128)
shift_kernel[(4,)](out, 1.0, BLOCK=64)
