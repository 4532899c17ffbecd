# The plane's stride is rows * rows instead of rows * columns.
# rule: out-of-bounds
import torch
import triton
import triton.language as tl


@triton.jit
def copy_kernel(x_ptr, out_ptr, rows, columns, N: tl.constexpr):
    plane, row = tl.program_id(0), tl.program_id(1)
    column = tl.arange(0, N)
    inside = column < columns
    x = tl.load(x_ptr + (plane * rows + row) * columns + column, mask=inside, other=0)
    tl.store(out_ptr + (plane * rows * rows + row * columns) + column, x, mask=inside)  # <-- here


x = torch.randint(0, 100, (3, 6, 4), device="cuda", dtype=torch.int16)
out = torch.zeros_like(x)
copy_kernel[(3, 6)](x, out, 6, 4, N=4)
