# The largest value falls into a bin that does not exist.
# rule: out-of-bounds
import torch
import triton
import triton.language as tl


@triton.jit
def histogram_kernel(x_ptr, count_ptr, n, bins, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + at, mask=at < n, other=0.0)
    bin = (x * bins).to(tl.int32)
    tl.atomic_add(count_ptr + bin, 1, mask=at < n)  # <-- here


x = torch.rand(200, device="cuda")
x[17] = 1.0
count = torch.zeros(16, device="cuda", dtype=torch.int32)
histogram_kernel[(2,)](x, count, 200, 16, BLOCK=128)
