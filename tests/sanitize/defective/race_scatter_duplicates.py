# Indices repeat, so that two programs write different values to one row.
# rule: data-race
import torch
import triton
import triton.language as tl


@triton.jit
def scatter_kernel(index_ptr, x_ptr, out_ptr, columns, BLOCK: tl.constexpr):
    i = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    row = tl.load(index_ptr + i)
    x = tl.load(x_ptr + i * columns + at, mask=at < columns, other=0.0)
    tl.store(out_ptr + row * columns + at, x, mask=at < columns)  # <-- here


index = torch.tensor([0, 2, 5, 2, 1], device="cuda")
x = torch.arange(5 * 12, device="cuda", dtype=torch.float32).reshape(5, 12)
out = torch.zeros(6, 12, device="cuda")
scatter_kernel[(5,)](index, x, out, 12, BLOCK=16)
