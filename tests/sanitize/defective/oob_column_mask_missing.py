# A two-dimensional block masks the rows and not the columns; the last row runs over the end.
# rule: out-of-bounds
import torch
import triton
import triton.language as tl


@triton.jit
def copy_kernel(x_ptr, out_ptr, rows, columns, M: tl.constexpr, N: tl.constexpr):
    row = tl.program_id(0) * M + tl.arange(0, M)[:, None]
    column = tl.arange(0, N)[None, :]
    x = tl.load(x_ptr + row * columns + column, mask=row < rows, other=0.0)  # <-- here
    tl.store(out_ptr + row * columns + column, x, mask=(row < rows) & (column < columns))


x = torch.rand(20, 30, device="cuda")
out = torch.empty_like(x)
copy_kernel[(2,)](x, out, 20, 30, M=16, N=32)
