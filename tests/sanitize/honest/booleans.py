# Masks that live in memory, and logic on lanes and scalars.
import torch
import triton
import triton.language as tl


@triton.jit
def logic_kernel(a_ptr, b_ptr, out_ptr, any_ptr, n, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    a = tl.load(a_ptr + at, mask=at < n, other=False)
    b = tl.load(b_ptr + at, mask=at < n, other=False)
    result = (a & ~b) | (~a & b)
    tl.store(out_ptr + at, result, mask=at < n)
    found = tl.max((result & (at < n)).to(tl.int32), 0) > 0
    if found and n > 10:
        tl.store(any_ptr, 1)


a = torch.rand(50, device="cuda") > 0.5
b = torch.rand(50, device="cuda") > 0.5
out = torch.empty(50, device="cuda", dtype=torch.bool)
found = torch.zeros(1, device="cuda", dtype=torch.int32)
logic_kernel[(1,)](a, b, out, found, 50, BLOCK=64)
assert torch.equal(out, a ^ b)
assert found.item() == int((a ^ b).any())
