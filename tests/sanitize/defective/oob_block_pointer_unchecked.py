# A block pointer checks nothing unless it is asked to.
# rule: out-of-bounds
import torch
import triton
import triton.language as tl


@triton.jit
def copy_kernel(x_ptr, out_ptr, rows, columns, M: tl.constexpr, N: tl.constexpr):
    row = tl.program_id(0) * M
    source = tl.make_block_ptr(x_ptr, (rows, columns), (columns, 1), (row, 0), (M, N), (1, 0))
    target = tl.make_block_ptr(out_ptr, (rows, columns), (columns, 1), (row, 0), (M, N), (1, 0))
    x = tl.load(source)  # <-- here
    tl.store(target, x, boundary_check=(0, 1))


x = torch.rand(28, 16, device="cuda", dtype=torch.float16)
out = torch.empty_like(x)
copy_kernel[(2,)](x, out, 28, 16, M=16, N=16)
