# An empty tensor has no memory, and the kernel reads its first element.
# rule: null-pointer
import torch
import triton
import triton.language as tl


@triton.jit
def scale_kernel(x_ptr, scale_ptr, out_ptr, n, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    scale = tl.load(scale_ptr)  # <-- here
    x = tl.load(x_ptr + at, mask=at < n, other=0.0)
    tl.store(out_ptr + at, x * scale, mask=at < n)


x = torch.rand(100, device="cuda")
scale = torch.empty(0, device="cuda")
out = torch.empty_like(x)
scale_kernel[(1,)](x, scale, out, 100, BLOCK=128)
