# Rows and columns are exchanged in the mask of a matrix that is not square.
# rule: out-of-bounds
import torch
import triton
import triton.language as tl


@triton.jit
def relu_kernel(x_ptr, out_ptr, rows, columns, M: tl.constexpr, N: tl.constexpr):
    row = tl.arange(0, M)[:, None]
    column = tl.arange(0, N)[None, :]
    at = row * columns + column
    x = tl.load(x_ptr + at, mask=(row < rows) & (column < columns), other=0.0)
    tl.store(out_ptr + at, tl.maximum(x, 0.0), mask=(row < columns) & (column < rows))  # <-- here


x = torch.randn(8, 10, device="cuda")
out = torch.zeros_like(x)
relu_kernel[(1,)](x, out, 8, 10, M=16, N=16)
