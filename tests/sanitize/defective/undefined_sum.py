# Lanes masked off without `other` take part in the sum.
# rule: undefined-lane
import torch
import triton
import triton.language as tl


@triton.jit
def row_sum_kernel(x_ptr, out_ptr, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * columns + at, mask=at < columns)
    tl.store(out_ptr + row, tl.sum(x, 0))  # <-- here


x = torch.rand(4, 50, device="cuda")
out = torch.empty(4, device="cuda")
row_sum_kernel[(4,)](x, out, 50, BLOCK=64)
