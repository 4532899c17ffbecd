# The kernel gets one matrix of a batch and reads into the next.
# rule: outside-tensor
import torch
import triton
import triton.language as tl


@triton.jit
def row_max_kernel(x_ptr, out_ptr, rows, columns, M: tl.constexpr, N: tl.constexpr):
    row = tl.arange(0, M)[:, None]
    column = tl.arange(0, N)[None, :]
    x = tl.load(x_ptr + row * columns + column, mask=column < columns, other=float("-inf"))  # <-- here
    tl.store(out_ptr + tl.arange(0, M), tl.max(x, 1), mask=tl.arange(0, M) < rows)


x = torch.rand(3, 12, 20, device="cuda")
out = torch.empty(12, device="cuda")
row_max_kernel[(1,)](x[1], out, 12, 20, M=16, N=32)
