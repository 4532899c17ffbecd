# Sequences of different lengths, one after the other in memory; an empty one among them.
import torch
import triton
import triton.language as tl


@triton.jit
def ragged_softmax_kernel(x_ptr, start_ptr, out_ptr, BLOCK: tl.constexpr):
    sequence = tl.program_id(0)
    start = tl.load(start_ptr + sequence)
    length = tl.load(start_ptr + sequence + 1) - start
    if length == 0:
        return
    at = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + start + at, mask=at < length, other=float("-inf"))
    e = tl.exp(x - tl.max(x, 0))
    tl.store(out_ptr + start + at, e / tl.sum(e, 0), mask=at < length)


lengths = [5, 0, 30, 1, 17]
start = torch.tensor([0] + lengths, device="cuda").cumsum(0).to(torch.int32)
x = torch.randn(sum(lengths), device="cuda")
out = torch.empty_like(x)
ragged_softmax_kernel[(5,)](x, start, out, BLOCK=32)
expected = torch.cat([torch.softmax(part, 0) for part in x.split(lengths)])
torch.testing.assert_close(out, expected, rtol=1e-5, atol=1e-6)
