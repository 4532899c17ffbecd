# h[t] = a[t] * h[t - 1] + b[t] as an associative scan over pairs.
import torch
import triton
import triton.language as tl


@triton.jit
def combine(a, b, c, d):
    return a * c, b * c + d


@triton.jit
def recurrence_kernel(a_ptr, b_ptr, out_ptr, length, REVERSE: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    a = tl.load(a_ptr + row * length + at, mask=at < length, other=1.0)
    b = tl.load(b_ptr + row * length + at, mask=at < length, other=0.0)
    _, h = tl.associative_scan((a, b), 0, combine, reverse=REVERSE)
    tl.store(out_ptr + row * length + at, h, mask=at < length)


a = torch.rand(4, 50, device="cuda")
b = torch.randn(4, 50, device="cuda")
for reverse in (False, True):
    out = torch.empty_like(a)
    recurrence_kernel[(4,)](a, b, out, 50, REVERSE=reverse, BLOCK=64)
    h = torch.zeros(4, device="cuda")
    for t in reversed(range(50)) if reverse else range(50):
        h = a[:, t] * h + b[:, t]
        torch.testing.assert_close(out[:, t], h, rtol=1e-4, atol=1e-5)
