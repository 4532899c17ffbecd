# Rows of weight zero are skipped, and so is their output.
# rule: unwritten-output
# host
import torch
import triton
import triton.language as tl


@triton.jit
def weighted_kernel(x_ptr, weight_ptr, out_ptr, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    weight = tl.load(weight_ptr + row)
    if weight == 0.0:
        return
    at = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * columns + at, mask=at < columns, other=0.0)
    tl.store(out_ptr + row * columns + at, x * weight, mask=at < columns)


x = torch.rand(6, 20, device="cuda")
weight = torch.tensor([1.0, 0.0, 2.0, 3.0, 0.0, 1.0], device="cuda")
out = torch.empty_like(x)
weighted_kernel[(6,)](x, weight, out, 20, BLOCK=32)
assert (out.cpu() >= 0).all()  # <-- here
