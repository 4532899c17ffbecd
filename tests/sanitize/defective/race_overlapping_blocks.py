# Blocks advance by less than their length, and write where the next one does.
# rule: data-race
import torch
import triton
import triton.language as tl


@triton.jit
def window_kernel(x_ptr, out_ptr, n, STEP: tl.constexpr, BLOCK: tl.constexpr):
    window = tl.program_id(0)
    at = window * STEP + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + at, mask=at < n, other=0.0)
    tl.store(out_ptr + at, x * (window + 1), mask=at < n)  # <-- here


x = torch.rand(128, device="cuda") + 1
out = torch.empty_like(x)
window_kernel[(4,)](x, out, 128, STEP=32, BLOCK=64)
