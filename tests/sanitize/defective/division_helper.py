# A helper divides by the length of the sequence, which may be empty.
# rule: division-by-zero
import torch
import triton
import triton.language as tl


@triton.jit
def share(part, whole):
    return part * 100 // whole  # <-- here


@triton.jit
def percent_kernel(part_ptr, whole_ptr, out_ptr, n, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    part = tl.load(part_ptr + at, mask=at < n, other=0)
    whole = tl.load(whole_ptr + at, mask=at < n, other=1)
    tl.store(out_ptr + at, share(part, whole), mask=at < n)


part = torch.randint(0, 100, (20,), device="cuda", dtype=torch.int64)
whole = torch.full((20,), 100, device="cuda", dtype=torch.int64)
whole[11] = 0
out = torch.empty_like(part)
percent_kernel[(1,)](part, whole, out, 20, BLOCK=32)
