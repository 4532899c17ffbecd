# The first kernel fills half of the scratch, the second reads all of it.
# rule: uninitialised-read
import torch
import triton
import triton.language as tl


@triton.jit
def produce_kernel(x_ptr, scratch_ptr, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(scratch_ptr + at, tl.load(x_ptr + at) * 2)


@triton.jit
def consume_kernel(scratch_ptr, out_ptr, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out_ptr + at, tl.load(scratch_ptr + at) + 1)  # <-- here


x = torch.randint(0, 50, (256,), device="cuda", dtype=torch.int32)
scratch = torch.empty_like(x)
out = torch.empty_like(x)
produce_kernel[(2,)](x, scratch, BLOCK=64)
consume_kernel[(4,)](scratch, out, BLOCK=64)
