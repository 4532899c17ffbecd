# A program reads the result that its left neighbour computes in the same launch.
# rule: data-race
import torch
import triton
import triton.language as tl


@triton.jit
def prefix_kernel(x_ptr, out_ptr, BLOCK: tl.constexpr):
    i = tl.program_id(0)
    at = i * BLOCK + tl.arange(0, BLOCK)
    carry = tl.load(out_ptr + i * BLOCK - 1, mask=i > 0, other=0)  # <-- either
    tl.store(out_ptr + at, carry + tl.cumsum(tl.load(x_ptr + at), 0))  # <-- either


x = torch.ones(128, device="cuda", dtype=torch.int32)
out = torch.zeros_like(x)
prefix_kernel[(4,)](x, out, BLOCK=32)
