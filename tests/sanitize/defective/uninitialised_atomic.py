# The same with an atomic addition: it too reads what is there.
# rule: uninitialised-read
import torch
import triton
import triton.language as tl


@triton.jit
def dot_kernel(x_ptr, y_ptr, out_ptr, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + at, mask=at < n, other=0.0)
    y = tl.load(y_ptr + at, mask=at < n, other=0.0)
    tl.atomic_add(out_ptr, tl.sum(x * y, 0))  # <-- here


x = torch.rand(500, device="cuda")
y = torch.rand(500, device="cuda")
out = torch.empty(1, device="cuda")
dot_kernel[(4,)](x, y, out, 500, BLOCK=128)
