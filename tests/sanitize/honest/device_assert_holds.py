# Assertions that hold, on scalars and on lanes.
import torch
import triton
import triton.language as tl


@triton.jit
def checked_kernel(index_ptr, x_ptr, out_ptr, n, size, BLOCK: tl.constexpr):
    tl.device_assert(n <= BLOCK, "one block is enough")
    at = tl.arange(0, BLOCK)
    index = tl.load(index_ptr + at, mask=at < n, other=0)
    tl.device_assert((index >= 0) & (index < size), "index in range")
    tl.store(out_ptr + at, tl.load(x_ptr + index, mask=at < n), mask=at < n)


x = torch.rand(30, device="cuda")
index = torch.randint(0, 30, (50,), device="cuda")
out = torch.empty(50, device="cuda")
checked_kernel[(1,)](index, x, out, 50, 30, BLOCK=64, debug=True)
assert torch.equal(out, x[index])
