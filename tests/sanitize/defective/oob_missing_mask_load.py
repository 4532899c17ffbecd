# The bias is as long as the row, not as the block.
# rule: out-of-bounds
import torch
import triton
import triton.language as tl


@triton.jit
def bias_kernel(x_ptr, bias_ptr, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    inside = at < columns
    bias = tl.load(bias_ptr + at)  # <-- here
    x = tl.load(x_ptr + row * columns + at, mask=inside, other=0.0)
    tl.store(x_ptr + row * columns + at, x + bias, mask=inside)


x = torch.rand(4, 100, device="cuda", dtype=torch.float16)
bias = torch.rand(100, device="cuda", dtype=torch.float16)
bias_kernel[(4,)](x, bias, 100, BLOCK=128)
