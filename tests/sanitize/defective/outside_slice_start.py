# The stencil of a slice reads the element before it.
# rule: outside-tensor
import torch
import triton
import triton.language as tl


@triton.jit
def difference_kernel(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    left = tl.load(x_ptr + at - 1, mask=at < n, other=0.0)  # <-- here
    tl.store(out_ptr + at, tl.load(x_ptr + at, mask=at < n, other=0.0) - left, mask=at < n)


x = torch.rand(200, device="cuda", dtype=torch.float64)
out = torch.empty(100, device="cuda", dtype=torch.float64)
difference_kernel[(1,)](x[50:150], out, 100, BLOCK=128)
