# Every value adds one to its bin.
import torch
import triton
import triton.language as tl


@triton.jit
def histogram_kernel(x_ptr, count_ptr, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + at, mask=at < n, other=0)
    tl.atomic_add(count_ptr + x, 1, mask=at < n, sem="relaxed")


x = torch.randint(0, 20, (700,), device="cuda", dtype=torch.int32)
count = torch.zeros(20, device="cuda", dtype=torch.int32)
histogram_kernel[(6,)](x, count, 700, BLOCK=128)
assert torch.equal(count.long(), torch.bincount(x, minlength=20))
