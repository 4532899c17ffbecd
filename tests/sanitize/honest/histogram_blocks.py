# tl.histogram counts a block; the counts of the blocks are added atomically.
import torch
import triton
import triton.language as tl


@triton.jit
def histogram_kernel(x_ptr, count_ptr, n, BINS: tl.constexpr, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + at, mask=at < n, other=0)
    count = tl.histogram(x, BINS, mask=at < n)
    tl.atomic_add(count_ptr + tl.arange(0, BINS), count)


x = torch.randint(0, 32, (1000,), device="cuda", dtype=torch.int32)
count = torch.zeros(32, device="cuda", dtype=torch.int32)
histogram_kernel[(4,)](x, count, 1000, BINS=32, BLOCK=256)
assert torch.equal(count.long(), torch.bincount(x, minlength=32))
