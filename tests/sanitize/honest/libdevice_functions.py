# Functions of libdevice, fp32 and fp64.
import torch
import triton
import triton.language as tl
from triton.language.extra import libdevice


@triton.jit
def functions_kernel(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + at, mask=at < n, other=1.0)
    tl.store(out_ptr + at, libdevice.tanh(x), mask=at < n)
    tl.store(out_ptr + n + at, libdevice.pow(tl.abs(x) + 0.5, tl.full(x.shape, 1.5, x.dtype)), mask=at < n)
    tl.store(out_ptr + 2 * n + at, libdevice.log1p(tl.abs(x)), mask=at < n)
    tl.store(out_ptr + 3 * n + at, libdevice.round(x * 4), mask=at < n)
    tl.store(out_ptr + 4 * n + at, libdevice.atan2(x, x + 2), mask=at < n)
    tl.store(out_ptr + 5 * n + at, libdevice.expm1(x), mask=at < n)


for dtype, tolerance in ((torch.float32, 1e-5), (torch.float64, 1e-12)):
    x = torch.randn(100, device="cuda", dtype=dtype)
    out = torch.empty(6, 100, device="cuda", dtype=dtype)
    functions_kernel[(1,)](x, out, 100, BLOCK=128)
    scaled = x * 4
    away = torch.sign(scaled) * torch.floor(scaled.abs() + 0.5)
    expected = [torch.tanh(x), (x.abs() + 0.5) ** 1.5, torch.log1p(x.abs()), away, torch.atan2(x, x + 2), torch.expm1(x)]
    torch.testing.assert_close(out, torch.stack(expected), rtol=tolerance, atol=tolerance)
