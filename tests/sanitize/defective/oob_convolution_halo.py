# The padding of the convolution is checked at the left edge only.
# rule: out-of-bounds
import torch
import triton
import triton.language as tl


@triton.jit
def convolve_kernel(x_ptr, weight_ptr, out_ptr, n, TAPS: tl.constexpr, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    total = tl.zeros((BLOCK,), tl.float32)
    for tap in tl.static_range(TAPS):
        source = at + tap - TAPS // 2
        total += tl.load(weight_ptr + tap) * tl.load(x_ptr + source, mask=source >= 0, other=0.0)  # <-- here
    tl.store(out_ptr + at, total, mask=at < n)


x = torch.rand(256, device="cuda")
weight = torch.rand(5, device="cuda")
out = torch.empty_like(x)
convolve_kernel[(2,)](x, weight, out, 256, TAPS=5, BLOCK=128)
