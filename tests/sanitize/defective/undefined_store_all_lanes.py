# The load is masked, the output is long enough, and the tail is stored as it is.
# rule: undefined-lane
import torch
import triton
import triton.language as tl


@triton.jit
def pad_kernel(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + at, mask=at < n)
    tl.store(out_ptr + at, x + 1)  # <-- here


x = torch.randint(0, 9, (100,), device="cuda", dtype=torch.int32)
out = torch.zeros(128, device="cuda", dtype=torch.int32)
pad_kernel[(1,)](x, out, 100, BLOCK=128)
