# The launcher promises a multiple of the block and does not keep it.
# rule: device-assert
import torch
import triton
import triton.language as tl


@triton.jit
def double_kernel(x_ptr, n, BLOCK: tl.constexpr):
    tl.device_assert(n % BLOCK == 0, "n must be a multiple of BLOCK")  # <-- here
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(x_ptr + at, 2 * tl.load(x_ptr + at, mask=at < n, other=0.0), mask=at < n)


x = torch.rand(100, device="cuda")
double_kernel[(2,)](x, 100, BLOCK=64, debug=True)
