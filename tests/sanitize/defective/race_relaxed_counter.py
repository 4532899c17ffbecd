# The last program to arrive adds up the parts, but its counter is relaxed.
# rule: data-race
import torch
import triton
import triton.language as tl


@triton.jit
def last_arrival_kernel(x_ptr, part_ptr, counter_ptr, out_ptr, programs, BLOCK: tl.constexpr, PARTS: tl.constexpr):
    i = tl.program_id(0)
    x = tl.load(x_ptr + i * BLOCK + tl.arange(0, BLOCK))
    tl.store(part_ptr + i, tl.sum(x, 0))  # <-- either
    if tl.atomic_add(counter_ptr, 1, sem="relaxed") == programs - 1:
        at = tl.arange(0, PARTS)
        parts = tl.load(part_ptr + at, mask=at < programs, other=0.0)  # <-- either
        tl.store(out_ptr, tl.sum(parts, 0))


x = torch.rand(6, 64, device="cuda")
part = torch.empty(6, device="cuda")
counter = torch.zeros(1, device="cuda", dtype=torch.int32)
out = torch.zeros(1, device="cuda")
last_arrival_kernel[(6,)](x, part, counter, out, 6, BLOCK=64, PARTS=8)
