# The boundary check believes the shape that it is told, which is that of the padded matrix.
# rule: out-of-bounds
import torch
import triton
import triton.language as tl


@triton.jit
def row_sum_kernel(x_ptr, out_ptr, rows, padded, columns, M: tl.constexpr, N: tl.constexpr):
    x_block = tl.make_block_ptr(x_ptr, (padded, columns), (columns, 1), (0, 0), (M, N), (1, 0))
    total = tl.zeros((M,), tl.float32)
    for _ in range(0, columns, N):
        total += tl.sum(tl.load(x_block, boundary_check=(0, 1), padding_option="zero"), 1)  # <-- here
        x_block = tl.advance(x_block, (0, N))
    row = tl.arange(0, M)
    tl.store(out_ptr + row, total, mask=row < rows)


x = torch.rand(14, 40, device="cuda")
out = torch.empty(14, device="cuda")
row_sum_kernel[(1,)](x, out, 14, 16, 40, M=16, N=16)
