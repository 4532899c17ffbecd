# Rows with the same index are added with atomics.
import torch
import triton
import triton.language as tl


@triton.jit
def scatter_add_kernel(x_ptr, index_ptr, out_ptr, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    target = tl.load(index_ptr + row)
    x = tl.load(x_ptr + row * columns + at, mask=at < columns, other=0.0)
    tl.atomic_add(out_ptr + target * columns + at, x, mask=at < columns)


x = torch.rand(20, 12, device="cuda")
index = torch.randint(0, 6, (20,), device="cuda")
out = torch.zeros(6, 12, device="cuda")
scatter_add_kernel[(20,)](x, index, out, 12, BLOCK=16)
torch.testing.assert_close(out, torch.zeros(6, 12, device="cuda").index_add(0, index, x), rtol=1e-5, atol=1e-5)
