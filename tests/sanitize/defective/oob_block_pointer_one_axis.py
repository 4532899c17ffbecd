# Only the columns are checked, and it is the rows that run out.
# rule: out-of-bounds
import torch
import triton
import triton.language as tl


@triton.jit
def double_kernel(x_ptr, out_ptr, rows, columns, M: tl.constexpr, N: tl.constexpr):
    row = tl.program_id(0) * M
    source = tl.make_block_ptr(x_ptr, (rows, columns), (columns, 1), (row, 0), (M, N), (1, 0))
    target = tl.make_block_ptr(out_ptr, (rows, columns), (columns, 1), (row, 0), (M, N), (1, 0))
    x = tl.load(source, boundary_check=(0, 1), padding_option="zero")
    tl.store(target, x * 2, boundary_check=(1,))  # <-- here


x = torch.rand(29, 10, device="cuda")
out = torch.zeros_like(x)
double_kernel[(2,)](x, out, 29, 10, M=16, N=16)
