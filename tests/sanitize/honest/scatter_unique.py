# Every index occurs once, so that plain stores do not meet.
import torch
import triton
import triton.language as tl


@triton.jit
def scatter_kernel(x_ptr, index_ptr, out_ptr, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = at < n
    index = tl.load(index_ptr + at, mask=inside, other=0)
    tl.store(out_ptr + index, tl.load(x_ptr + at, mask=inside), mask=inside)


x = torch.rand(150, device="cuda")
index = torch.randperm(150, device="cuda")
out = torch.empty_like(x)
scatter_kernel[(3,)](x, index, out, 150, BLOCK=64)
assert torch.equal(out[index], x)
