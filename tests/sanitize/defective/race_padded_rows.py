# Rows are shorter than the block; the unmasked tail of one is the head of the next.
# rule: data-race
import torch
import triton
import triton.language as tl


@triton.jit
def copy_kernel(x_ptr, out_ptr, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * columns + at, mask=at < columns, other=0.0)
    tl.store(out_ptr + row * columns + at, x)  # <-- here


x = torch.rand(6, 24, device="cuda") + 1
out = torch.zeros(7, 24, device="cuda")
copy_kernel[(6,)](x, out, 24, BLOCK=32)
