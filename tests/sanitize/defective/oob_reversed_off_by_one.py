# A reversal that forgets the minus one.
# rule: out-of-bounds
import torch
import triton
import triton.language as tl


@triton.jit
def reverse_kernel(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + n - at, mask=at < n, other=0)  # <-- here
    tl.store(out_ptr + at, x, mask=at < n)


x = torch.arange(100, device="cuda")
out = torch.empty_like(x)
reverse_kernel[(1,)](x, out, 100, BLOCK=128)
