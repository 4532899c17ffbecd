# With debug on, an addition of 32 bits that overflows is an assertion too.
# rule: device-assert
import torch
import triton
import triton.language as tl


@triton.jit
def add_kernel(x_ptr, y_ptr, out_ptr, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + at)
    y = tl.load(y_ptr + at)
    tl.store(out_ptr + at, x + y)  # <-- here


x = torch.full((32,), 2**31 - 1, device="cuda", dtype=torch.int32)
y = torch.arange(32, device="cuda", dtype=torch.int32)
out = torch.empty_like(x)
add_kernel[(1,)](x, y, out, BLOCK=32, debug=True, sanitize_overflow=True)
