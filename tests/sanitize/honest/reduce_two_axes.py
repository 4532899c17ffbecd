# Both axes of a tile, one after the other and at once.
import torch
import triton
import triton.language as tl


@triton.jit
def reduce_kernel(x_ptr, row_ptr, column_ptr, all_ptr, rows, columns, M: tl.constexpr, N: tl.constexpr):
    row = tl.arange(0, M)
    column = tl.arange(0, N)
    inside = (row[:, None] < rows) & (column[None, :] < columns)
    x = tl.load(x_ptr + row[:, None] * columns + column[None, :], mask=inside, other=0.0)
    tl.store(row_ptr + row, tl.sum(x, 1), mask=row < rows)
    tl.store(column_ptr + column, tl.sum(x, 0), mask=column < columns)
    tl.store(all_ptr, tl.sum(tl.sum(x, 0), 0))
    tl.store(all_ptr + 1, tl.sum(x))
    shares = x / tl.sum(x, 1, keep_dims=True)
    tl.store(all_ptr + 2, tl.max(tl.where(inside, shares, 0.0)))


x = torch.rand(12, 20, device="cuda") + 0.1
row = torch.empty(12, device="cuda")
column = torch.empty(20, device="cuda")
everything = torch.empty(3, device="cuda")
reduce_kernel[(1,)](x, row, column, everything, 12, 20, M=16, N=32)
torch.testing.assert_close(row, x.sum(1), rtol=1e-5, atol=1e-5)
torch.testing.assert_close(column, x.sum(0), rtol=1e-5, atol=1e-5)
torch.testing.assert_close(everything[:2], x.sum().expand(2), rtol=1e-5, atol=1e-4)
torch.testing.assert_close(everything[2], (x / x.sum(1, keepdim=True)).max(), rtol=1e-5, atol=1e-6)
