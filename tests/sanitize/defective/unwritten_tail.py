# The grid is rounded down, so the last elements are never computed.
# rule: unwritten-output
# host
import torch
import triton
import triton.language as tl


@triton.jit
def sqrt_kernel(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + at, mask=at < n, other=0.0)
    tl.store(out_ptr + at, tl.sqrt(x), mask=at < n)


n = 1000
x = torch.rand(n, device="cuda")
out = torch.empty_like(x)
sqrt_kernel[(n // 128,)](x, out, n, BLOCK=128)
total = out.sum()  # <-- here
