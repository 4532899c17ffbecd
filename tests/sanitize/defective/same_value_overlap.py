# The last block is shifted back to stay inside, and computes some elements a second time.
# rule: same-value-race
import torch
import triton
import triton.language as tl


@triton.jit
def negate_kernel(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    start = tl.minimum(tl.program_id(0) * BLOCK, n - BLOCK)
    at = start + tl.arange(0, BLOCK)
    tl.store(out_ptr + at, -tl.load(x_ptr + at))  # <-- here


x = torch.rand(100, device="cuda")
out = torch.empty_like(x)
negate_kernel[(4,)](x, out, 100, BLOCK=32)
