# Some of the divisors in the block are zero.
# rule: division-by-zero
import torch
import triton
import triton.language as tl


@triton.jit
def divide_kernel(x_ptr, y_ptr, out_ptr, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + at)
    y = tl.load(y_ptr + at)
    tl.store(out_ptr + at, x // y)  # <-- here


x = torch.arange(64, device="cuda", dtype=torch.int16)
y = torch.arange(64, device="cuda", dtype=torch.int16) % 7
out = torch.zeros_like(x)
divide_kernel[(1,)](x, y, out, BLOCK=64)
