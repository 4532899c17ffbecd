# The batch stride counts a row of the block, not of the tensor.
# rule: out-of-bounds
import torch
import triton
import triton.language as tl


@triton.jit
def normalise_kernel(x_ptr, out_ptr, length, BLOCK: tl.constexpr):
    batch = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    inside = at < length
    x = tl.load(x_ptr + batch * BLOCK + at, mask=inside, other=0.0)  # <-- here
    x = x / tl.sum(x, 0)
    tl.store(out_ptr + batch * length + at, x, mask=inside)


x = torch.rand(5, 50, device="cuda")
out = torch.empty_like(x)
normalise_kernel[(5,)](x, out, 50, BLOCK=64)
