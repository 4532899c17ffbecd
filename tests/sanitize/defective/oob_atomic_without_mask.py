# The lanes beyond n still take part in the atomic addition.
# rule: out-of-bounds
import torch
import triton
import triton.language as tl


@triton.jit
def accumulate_kernel(x_ptr, total_ptr, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * columns + at, mask=at < columns, other=0.0)
    tl.atomic_add(total_ptr + at, x)  # <-- here


x = torch.rand(8, 25, device="cuda")
total = torch.zeros(25, device="cuda")
accumulate_kernel[(8,)](x, total, 25, BLOCK=32)
