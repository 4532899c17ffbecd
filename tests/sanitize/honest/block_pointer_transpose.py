# Block pointers with boundary checks on both axes.
import torch
import triton
import triton.language as tl


@triton.jit
def transpose_kernel(x_ptr, out_ptr, rows, columns, M: tl.constexpr, N: tl.constexpr):
    row, column = tl.program_id(0) * M, tl.program_id(1) * N
    source = tl.make_block_ptr(x_ptr, (rows, columns), (columns, 1), (row, column), (M, N), (1, 0))
    target = tl.make_block_ptr(out_ptr, (columns, rows), (rows, 1), (column, row), (N, M), (1, 0))
    x = tl.load(source, boundary_check=(0, 1), padding_option="zero")
    tl.store(target, tl.trans(x), boundary_check=(0, 1))


x = torch.randn(45, 27, device="cuda", dtype=torch.float16)
out = torch.empty(27, 45, device="cuda", dtype=torch.float16)
transpose_kernel[(3, 2)](x, out, 45, 27, M=16, N=16)
assert torch.equal(out, x.t())
