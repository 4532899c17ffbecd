# A transposed view and a view of every second column, read through their strides.
import torch
import triton
import triton.language as tl


@triton.jit
def copy_kernel(x_ptr, out_ptr, rows, columns, row_stride, column_stride, M: tl.constexpr, N: tl.constexpr):
    row = tl.program_id(0) * M + tl.arange(0, M)[:, None]
    column = tl.program_id(1) * N + tl.arange(0, N)[None, :]
    inside = (row < rows) & (column < columns)
    x = tl.load(x_ptr + row * row_stride + column * column_stride, mask=inside)
    tl.store(out_ptr + row * columns + column, x, mask=inside)


base = torch.randn(40, 50, device="cuda")
for view in (base.t(), base[:, ::2], base[5:30, 10:45], base[::3, 1::4], base[7:8].expand(12, 50)):
    out = torch.empty(view.shape, device="cuda")
    rows, columns = view.shape
    grid = (triton.cdiv(rows, 16), triton.cdiv(columns, 16))
    copy_kernel[grid](view, out, rows, columns, view.stride(0), view.stride(1), M=16, N=16)
    assert torch.equal(out, view)
