# The longest of the lengths, among them those of sequences that are not there.
# rule: undefined-lane
import torch
import triton
import triton.language as tl


@triton.jit
def pool_kernel(length_ptr, x_ptr, out_ptr, sequences, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    length = tl.load(length_ptr + at, mask=at < sequences)
    longest = tl.max(length, 0)
    total = tl.zeros((BLOCK,), tl.float32)
    for position in range(0, longest):  # <-- here
        inside = (at < sequences) & (position < length)
        total += tl.load(x_ptr + at * 8 + position, mask=inside, other=0.0)
    tl.store(out_ptr + at, total, mask=at < sequences)


length = torch.randint(1, 8, (12,), device="cuda", dtype=torch.int32)
x = torch.rand(12, 8, device="cuda")
out = torch.empty(12, device="cuda")
pool_kernel[(1,)](length, x, out, 12, BLOCK=16)
