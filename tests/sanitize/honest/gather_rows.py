# Rows of a table in the order of a list.
import torch
import triton
import triton.language as tl


@triton.jit
def gather_kernel(table_ptr, index_ptr, out_ptr, columns, rows, M: tl.constexpr, N: tl.constexpr):
    i = tl.program_id(0) * M + tl.arange(0, M)
    at = tl.arange(0, N)
    index = tl.load(index_ptr + i, mask=i < rows)
    inside = (i[:, None] < rows) & (at[None, :] < columns)
    x = tl.load(table_ptr + index[:, None] * columns + at[None, :], mask=inside)
    tl.store(out_ptr + i[:, None] * columns + at[None, :], x, mask=inside)


table = torch.rand(30, 20, device="cuda")
index = torch.randint(0, 30, (13,), device="cuda")
out = torch.empty(13, 20, device="cuda")
gather_kernel[(4,)](table, index, out, 20, 13, M=4, N=32)
assert torch.equal(out, table[index])
