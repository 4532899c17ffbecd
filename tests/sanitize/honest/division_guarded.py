# Divisors of zero are replaced where the result is not used.
import torch
import triton
import triton.language as tl


@triton.jit
def ratio_kernel(x_ptr, y_ptr, out_ptr, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    x, y = tl.load(x_ptr + at), tl.load(y_ptr + at)
    safe = tl.where(y == 0, 1, y)
    tl.store(out_ptr + at, tl.where(y == 0, -1, x // safe))


x = torch.arange(64, device="cuda", dtype=torch.int32)
y = x % 5
out = torch.empty_like(x)
ratio_kernel[(1,)](x, y, out, BLOCK=64)
expected = torch.where(y == 0, -1, torch.div(x, torch.where(y == 0, 1, y), rounding_mode="trunc"))
assert torch.equal(out, expected.to(torch.int32))
