# Pointers and lengths that are multiples of nothing.
import torch
import triton
import triton.language as tl


@triton.jit
def add_kernel(x_ptr, y_ptr, out_ptr, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out_ptr + at, tl.load(x_ptr + at, mask=at < n) + tl.load(y_ptr + at, mask=at < n), mask=at < n)


buffer = torch.rand(500, device="cuda", dtype=torch.float16)
for offset, n in ((1, 101), (3, 64), (7, 1)):
    out = torch.empty(n + 1, device="cuda", dtype=torch.float16)[1:]
    x, y = buffer[offset : offset + n], buffer[200 + offset : 200 + offset + n]
    add_kernel[(2,)](x, y, out, n, BLOCK=64)
    assert torch.equal(out, x + y)
