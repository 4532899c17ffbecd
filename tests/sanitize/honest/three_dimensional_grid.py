# Batches, rows and blocks of columns on the three axes of the grid.
import torch
import triton
import triton.language as tl


@triton.jit
def permute_kernel(x_ptr, out_ptr, b_size, m_size, n_size, BLOCK: tl.constexpr):
    b, m = tl.program_id(2), tl.program_id(1)
    n = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + (b * m_size + m) * n_size + n, mask=n < n_size)
    tl.store(out_ptr + (n * b_size + b) * m_size + m, x, mask=n < n_size)


x = torch.randn(4, 5, 50, device="cuda", dtype=torch.float64)
out = torch.empty(50, 4, 5, device="cuda", dtype=torch.float64)
permute_kernel[(2, 5, 4)](x, out, 4, 5, 50, BLOCK=32)
assert torch.equal(out, x.permute(2, 0, 1))
