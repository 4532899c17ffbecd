# Indices that count from one are used as they are.
# rule: out-of-bounds
import torch
import triton
import triton.language as tl


@triton.jit
def scatter_kernel(index_ptr, x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    index = tl.load(index_ptr + at, mask=at < n, other=1)
    x = tl.load(x_ptr + at, mask=at < n, other=0.0)
    tl.store(out_ptr + index, x, mask=at < n)  # <-- here


index = torch.randperm(30, device="cuda") + 1
x = torch.rand(30, device="cuda")
out = torch.zeros(30, device="cuda")
scatter_kernel[(1,)](index, x, out, 30, BLOCK=32)
