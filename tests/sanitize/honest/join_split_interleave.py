# Complex numbers stored as pairs: split, multiply, join.
import torch
import triton
import triton.language as tl


@triton.jit
def complex_kernel(x_ptr, y_ptr, out_ptr, planar_ptr, BLOCK: tl.constexpr):
    pair = tl.arange(0, BLOCK)[:, None] * 2 + tl.arange(0, 2)[None, :]
    a, b = tl.split(tl.load(x_ptr + pair))
    c, d = tl.split(tl.load(y_ptr + pair))
    real, imaginary = a * c - b * d, a * d + b * c
    tl.store(out_ptr + pair, tl.join(real, imaginary))
    tl.store(planar_ptr + tl.arange(0, 2 * BLOCK), tl.interleave(real, imaginary))


x = torch.randn(64, device="cuda", dtype=torch.complex64)
y = torch.randn(64, device="cuda", dtype=torch.complex64)
out = torch.empty(64, 2, device="cuda")
flat = torch.empty(128, device="cuda")
complex_kernel[(1,)](torch.view_as_real(x), torch.view_as_real(y), out, flat, BLOCK=64)
torch.testing.assert_close(out, torch.view_as_real(x * y), rtol=1e-5, atol=1e-5)
assert torch.equal(flat, out.flatten())
