# Undefined lanes are computed with, and never reach a store.
import torch
import triton
import triton.language as tl


@triton.jit
def fused_kernel(x_ptr, y_ptr, out_ptr, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = at < n
    x = tl.load(x_ptr + at, mask=inside)
    y = tl.load(y_ptr + at, mask=inside)
    z = tl.exp(x) * y + tl.where(x > y, x, y)
    tl.store(out_ptr + at, z, mask=inside)


x = torch.randn(333, device="cuda")
y = torch.randn(333, device="cuda")
out = torch.empty_like(x)
fused_kernel[(3,)](x, y, out, 333, BLOCK=128)
torch.testing.assert_close(out, torch.exp(x) * y + torch.maximum(x, y), rtol=1e-5, atol=1e-5)
