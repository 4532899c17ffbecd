# Quantisation to both eight-bit floats and back.
import torch
import triton
import triton.language as tl


@triton.jit
def quantise_kernel(x_ptr, out_ptr, back_ptr, scale, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + at, mask=at < n)
    small = (x / scale).to(out_ptr.dtype.element_ty)
    tl.store(out_ptr + at, small, mask=at < n)
    tl.store(back_ptr + at, small.to(tl.float32) * scale, mask=at < n)


x = torch.randn(300, device="cuda") * 10
for dtype, step in ((torch.float8_e4m3fn, 0.07), (torch.float8_e5m2, 0.14)):
    out = torch.empty(300, device="cuda", dtype=dtype)
    back = torch.empty_like(x)
    quantise_kernel[(3,)](x, out, back, 0.5, 300, BLOCK=128)
    assert torch.equal(out.float() * 0.5, back)
    assert torch.equal(out.float(), (x / 0.5).to(dtype).float())
    torch.testing.assert_close(back, x, rtol=step, atol=0.01)
