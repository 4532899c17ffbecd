# The mask is made from the length of the longer tensor.
# rule: out-of-bounds
import torch
import triton
import triton.language as tl


@triton.jit
def gather_kernel(index_ptr, table_ptr, out_ptr, table_size, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    inside = at < table_size
    index = tl.load(index_ptr + at, mask=inside, other=0)  # <-- here
    tl.store(out_ptr + at, tl.load(table_ptr + index, mask=inside, other=0.0), mask=inside)


table = torch.rand(64, device="cuda")
index = torch.arange(40, device="cuda", dtype=torch.int32)
out = torch.zeros(64, device="cuda")
gather_kernel[(1,)](index, table, out, table.numel(), BLOCK=64)
