# The index has eight bits, and so has its product with the width: 5 * 32 wraps to -96.
# rule: out-of-bounds
import torch
import triton
import triton.language as tl


@triton.jit
def take_kernel(index_ptr, table_ptr, out_ptr, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    index = tl.load(index_ptr + at)
    tl.store(out_ptr + at, tl.load(table_ptr + index * 32))  # <-- here


table = torch.rand(8, 32, device="cuda", dtype=torch.float16)
index = torch.arange(8, device="cuda", dtype=torch.int8)
out = torch.empty(8, device="cuda", dtype=torch.float16)
take_kernel[(1,)](index, table, out, BLOCK=8)
