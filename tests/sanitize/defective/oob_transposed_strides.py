# A transposed view is walked with the strides of the original.
# rule: out-of-bounds
import torch
import triton
import triton.language as tl


@triton.jit
def column_sum_kernel(x_ptr, out_ptr, rows, row_stride, column_stride, BLOCK: tl.constexpr):
    column = tl.program_id(0)
    row = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * row_stride + column * column_stride, mask=row < rows, other=0.0)  # <-- here
    tl.store(out_ptr + column, tl.sum(x, 0))


x = torch.rand(12, 16, device="cuda")
t = x.t()  # 16 rows, 12 columns
out = torch.zeros(12, device="cuda")
column_sum_kernel[(12,)](t, out, 16, x.stride(0), x.stride(1), BLOCK=16)
