# Positions scaled to fixed point overflow 32 bits before they are scaled back.
# rule: out-of-bounds
import torch
import triton
import triton.language as tl


@triton.jit
def resize_kernel(x_ptr, out_ptr, n_in, n_out, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    step = (n_in << 24) // n_out
    source = (at * step) >> 24
    x = tl.load(x_ptr + source, mask=at < n_out, other=0.0)  # <-- here
    tl.store(out_ptr + at, x, mask=at < n_out)


x = torch.rand(150, device="cuda")
out = torch.empty(100, device="cuda")
resize_kernel[(1,)](x, out, 150, 100, BLOCK=128)
