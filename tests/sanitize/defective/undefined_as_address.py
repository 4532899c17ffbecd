# Indices beyond the list are undefined, and the gather has no mask.
# rule: undefined-lane
import torch
import triton
import triton.language as tl


@triton.jit
def gather_kernel(index_ptr, table_ptr, out_ptr, n, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    index = tl.load(index_ptr + at, mask=at < n)
    x = tl.load(table_ptr + index)  # <-- here
    tl.store(out_ptr + at, x, mask=at < n)


index = torch.randint(0, 40, (20,), device="cuda", dtype=torch.int32)
table = torch.rand(40, device="cuda")
out = torch.empty(20, device="cuda")
gather_kernel[(1,)](index, table, out, 20, BLOCK=32)
