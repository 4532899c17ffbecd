# The output has a column for the count, which no kernel fills.
# rule: unwritten-output
# host
import torch
import triton
import triton.language as tl


@triton.jit
def stats_kernel(x_ptr, out_ptr, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * columns + at, mask=at < columns, other=0.0)
    tl.store(out_ptr + row * 3 + 0, tl.sum(x, 0))
    tl.store(out_ptr + row * 3 + 1, tl.sum(x * x, 0))


x = torch.rand(10, 30, device="cuda")
out = torch.empty(10, 3, device="cuda")
stats_kernel[(10,)](x, out, 30, BLOCK=32)
table = out.tolist()  # <-- here
