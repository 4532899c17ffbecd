# The padding is replaced for every other column than the padded ones.
# rule: undefined-lane
import torch
import triton
import triton.language as tl


@triton.jit
def variance_kernel(x_ptr, out_ptr, n, mean, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + at, mask=at < n)
    centred = tl.where(at < BLOCK, x - mean, 0.0)
    tl.store(out_ptr, tl.sum(centred * centred, 0) / n)  # <-- here


x = torch.rand(90, device="cuda", dtype=torch.float64)
out = torch.empty(1, device="cuda", dtype=torch.float64)
variance_kernel[(1,)](x, out, 90, 0.5, BLOCK=128)
