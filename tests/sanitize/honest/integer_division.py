# Division truncates and the remainder takes the sign of the dividend, as in C.
import torch
import triton
import triton.language as tl


@triton.jit
def divide_kernel(x_ptr, y_ptr, quotient_ptr, remainder_ptr, n, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + at, mask=at < n, other=0)
    y = tl.load(y_ptr + at, mask=at < n, other=1)
    tl.store(quotient_ptr + at, x // y, mask=at < n)
    tl.store(remainder_ptr + at, x % y, mask=at < n)


for dtype in (torch.int16, torch.int32, torch.int64):
    x = torch.randint(-1000, 1000, (100,), device="cuda").to(dtype)
    y = torch.randint(1, 50, (100,), device="cuda").to(dtype) * torch.where(torch.arange(100, device="cuda") % 2 == 0, 1, -1).to(dtype)
    quotient = torch.empty_like(x)
    remainder = torch.empty_like(x)
    divide_kernel[(1,)](x, y, quotient, remainder, 100, BLOCK=128)
    assert torch.equal(quotient, torch.div(x, y, rounding_mode="trunc"))
    assert torch.equal(remainder, torch.fmod(x, y))
