# The length of a sequence is taken from the next entry, which the last sequence has not.
# rule: out-of-bounds
import torch
import triton
import triton.language as tl


@triton.jit
def ragged_sum_kernel(x_ptr, start_ptr, out_ptr, BLOCK: tl.constexpr):
    sequence = tl.program_id(0)
    start = tl.load(start_ptr + sequence)
    end = tl.load(start_ptr + sequence + 1)  # <-- here
    at = start + tl.arange(0, BLOCK)
    tl.store(out_ptr + sequence, tl.sum(tl.load(x_ptr + at, mask=at < end, other=0.0), 0))


x = torch.rand(60, device="cuda")
start = torch.tensor([0, 15, 22, 48], device="cuda", dtype=torch.int32)
out = torch.empty(4, device="cuda")
ragged_sum_kernel[(4,)](x, start, out, BLOCK=32)
