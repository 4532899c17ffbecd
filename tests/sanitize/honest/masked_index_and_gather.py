# Undefined indices are masked off in the gather as well.
import torch
import triton
import triton.language as tl


@triton.jit
def gather_kernel(index_ptr, table_ptr, out_ptr, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    index = tl.load(index_ptr + at, mask=at < n)
    x = tl.load(table_ptr + index, mask=at < n)
    tl.store(out_ptr + at, x, mask=at < n)


index = torch.randint(0, 50, (70,), device="cuda")
table = torch.rand(50, device="cuda", dtype=torch.float64)
out = torch.empty(70, device="cuda", dtype=torch.float64)
gather_kernel[(3,)](index, table, out, 70, BLOCK=32)
assert torch.equal(out, table[index])
