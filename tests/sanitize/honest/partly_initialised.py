# Only what the kernel reads has been written.
import torch
import triton
import triton.language as tl


@triton.jit
def sum_valid_kernel(x_ptr, length_ptr, out_ptr, capacity, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    length = tl.load(length_ptr + row)
    x = tl.load(x_ptr + row * capacity + at, mask=at < length, other=0.0)
    tl.store(out_ptr + row, tl.sum(x, 0))


capacity = 60
length = torch.tensor([10, 0, 60, 33], device="cuda", dtype=torch.int32)
x = torch.empty(4, capacity, device="cuda")
expected = torch.zeros(4, device="cuda")
for row, count in enumerate(length.tolist()):
    x[row, :count] = torch.arange(count, device="cuda", dtype=torch.float32)
    expected[row] = count * (count - 1) / 2
out = torch.empty(4, device="cuda")
sum_valid_kernel[(4,)](x, length, out, capacity, BLOCK=64)
assert torch.equal(out, expected)
