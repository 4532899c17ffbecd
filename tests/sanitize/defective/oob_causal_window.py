# A sliding window starts before the sequence for the first rows.
# rule: out-of-bounds
import torch
import triton
import triton.language as tl


@triton.jit
def window_mean_kernel(x_ptr, out_ptr, WINDOW: tl.constexpr):
    row = tl.program_id(0)
    at = row - WINDOW + 1 + tl.arange(0, WINDOW)
    x = tl.load(x_ptr + at)  # <-- here
    tl.store(out_ptr + row, tl.sum(x, 0) / WINDOW)


x = torch.rand(40, device="cuda")
out = torch.empty_like(x)
window_mean_kernel[(40,)](x, out, WINDOW=8)
