# Each program reads and writes its own elements.
import torch
import triton
import triton.language as tl


@triton.jit
def relu_kernel(x_ptr, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + at, mask=at < n)
    tl.store(x_ptr + at, tl.maximum(x, 0.0), mask=at < n)


x = torch.randn(777, device="cuda")
expected = torch.relu(x)
relu_kernel[(7,)](x, 777, BLOCK=128)
assert torch.equal(x, expected)
