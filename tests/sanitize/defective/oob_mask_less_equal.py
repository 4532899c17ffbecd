# `<=` where `<` is meant lets one element too many through.
# rule: out-of-bounds
import torch
import triton
import triton.language as tl


@triton.jit
def scale_kernel(x_ptr, out_ptr, n, factor, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + at, mask=at < n, other=0.0)
    tl.store(out_ptr + at, x * factor, mask=at <= n)  # <-- here


x = torch.rand(500, device="cuda")
out = torch.empty(500, device="cuda")
scale_kernel[(4,)](x, out, 500, 2.0, BLOCK=128)
