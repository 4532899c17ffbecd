# The input is allocated and never filled.
# rule: uninitialised-read
import torch
import triton
import triton.language as tl


@triton.jit
def exp_kernel(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + at, mask=at < n, other=0.0)  # <-- here
    tl.store(out_ptr + at, tl.exp(x), mask=at < n)


x = torch.empty(300, device="cuda")
out = torch.empty_like(x)
exp_kernel[(3,)](x, out, 300, BLOCK=128)
