# Only the real columns of a padded buffer are written; the product reads the padding too.
# rule: uninitialised-read
import torch
import triton
import triton.language as tl


@triton.jit
def pad_kernel(x_ptr, out_ptr, columns, padded, N: tl.constexpr):
    row = tl.program_id(0)
    column = tl.arange(0, N)
    x = tl.load(x_ptr + row * columns + column, mask=column < columns, other=0.0)
    tl.store(out_ptr + row * padded + column, x, mask=column < columns)


@triton.jit
def product_kernel(a_ptr, out_ptr, N: tl.constexpr):
    row = tl.arange(0, N)[:, None]
    column = tl.arange(0, N)[None, :]
    a = tl.load(a_ptr + row * N + column)  # <-- here
    tl.store(out_ptr + row * N + column, tl.dot(a, tl.trans(a)))


x = torch.rand(16, 10, device="cuda", dtype=torch.float16)
padded = torch.empty(16, 16, device="cuda", dtype=torch.float16)
out = torch.empty(16, 16, device="cuda")
pad_kernel[(16,)](x, padded, 10, 16, N=16)
product_kernel[(1,)](padded, out, N=16)
