# Both halves of a row are read before either is written.
import torch
import triton
import triton.language as tl


@triton.jit
def rotary_kernel(x_ptr, cos_ptr, sin_ptr, heads, half, BLOCK: tl.constexpr):
    position = tl.program_id(0)
    head = tl.program_id(1)
    at = tl.arange(0, BLOCK)
    inside = at < half
    cos = tl.load(cos_ptr + position * half + at, mask=inside)
    sin = tl.load(sin_ptr + position * half + at, mask=inside)
    base = x_ptr + (position * heads + head) * 2 * half
    left = tl.load(base + at, mask=inside)
    right = tl.load(base + half + at, mask=inside)
    tl.store(base + at, left * cos - right * sin, mask=inside)
    tl.store(base + half + at, right * cos + left * sin, mask=inside)


x = torch.randn(10, 3, 24, device="cuda")
angle = torch.rand(10, 12, device="cuda") * 6
cos, sin = angle.cos(), angle.sin()
left, right = x[..., :12].clone(), x[..., 12:].clone()
expected = torch.cat([left * cos[:, None] - right * sin[:, None], right * cos[:, None] + left * sin[:, None]], -1)
rotary_kernel[(10, 3)](x, cos, sin, 3, 12, BLOCK=16)
torch.testing.assert_close(x, expected, rtol=1e-5, atol=1e-5)
