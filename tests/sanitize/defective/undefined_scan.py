# A scan from the right begins in the padding.
# rule: undefined-lane
import torch
import triton
import triton.language as tl


@triton.jit
def suffix_sum_kernel(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + at, mask=at < n)
    tl.store(out_ptr + at, tl.cumsum(x, 0, reverse=True), mask=at < n)  # <-- here


x = torch.rand(50, device="cuda")
out = torch.empty_like(x)
suffix_sum_kernel[(1,)](x, out, 50, BLOCK=64)
