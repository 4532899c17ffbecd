# Partial sums are added into an output that nobody set to zero.
# rule: uninitialised-read
import torch
import triton
import triton.language as tl


@triton.jit
def column_sum_kernel(x_ptr, out_ptr, rows, columns, BLOCK: tl.constexpr):
    column = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    for row in range(rows):
        x = tl.load(x_ptr + row * columns + column, mask=column < columns, other=0.0)
        total = tl.load(out_ptr + column, mask=column < columns, other=0.0)  # <-- here
        tl.store(out_ptr + column, total + x, mask=column < columns)


x = torch.rand(5, 70, device="cuda")
out = torch.empty(70, device="cuda")
column_sum_kernel[(2,)](x, out, 5, 70, BLOCK=64)
