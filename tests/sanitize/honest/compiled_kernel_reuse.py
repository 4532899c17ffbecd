# The compiled kernel is launched again with arguments that keep its promises.
import torch
import triton
import triton.language as tl


@triton.jit
def scale_kernel(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out_ptr + at, 2 * tl.load(x_ptr + at, mask=at < n), mask=at < n)


x = torch.rand(256, device="cuda")
out = torch.empty_like(x)
compiled = scale_kernel[(2,)](x, out, 256, BLOCK=128)
y = torch.rand(256, device="cuda")
again = torch.empty_like(y)
compiled[(2, 1, 1)](y, again, 256, 128)
assert torch.equal(out, 2 * x)
assert torch.equal(again, 2 * y)
