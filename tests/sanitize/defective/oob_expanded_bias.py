# The kernel walks an expanded tensor as if its rows were there.
# rule: out-of-bounds
import torch
import triton
import triton.language as tl


@triton.jit
def add_kernel(x_ptr, y_ptr, out_ptr, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = at < n
    x = tl.load(x_ptr + at, mask=inside, other=0.0)
    y = tl.load(y_ptr + at, mask=inside, other=0.0)  # <-- here
    tl.store(out_ptr + at, x + y, mask=inside)


x = torch.rand(8, 16, device="cuda")
y = torch.rand(16, device="cuda").expand(8, 16)
out = torch.empty_like(x)
add_kernel[(1,)](x, y, out, x.numel(), BLOCK=128)
