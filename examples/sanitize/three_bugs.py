"""Three defects for which a GPU mostly shows nothing. Run it with: tritonrl sanitize examples/sanitize/three_bugs.py"""

import torch
import triton
import triton.language as tl


@triton.jit
def scale_kernel(x_ptr, out_ptr, n, factor, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + at)  # the last block reads past the end
    tl.store(out_ptr + at, x * factor, mask=at < n)


@triton.jit
def row_max_kernel(x_ptr, out_ptr, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * columns + at, mask=at < columns)  # what is a lane that was masked off?
    tl.store(out_ptr + row, tl.max(x, 0))


@triton.jit
def total_kernel(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + at, mask=at < n, other=0.0)
    tl.store(out_ptr, tl.sum(x, 0))  # every program writes to the same number


x = torch.rand(10, 100, device="cuda")
scaled = torch.empty_like(x)
scale_kernel[(8,)](x, scaled, x.numel(), 2.0, BLOCK=128)
largest = torch.empty(10, device="cuda")
row_max_kernel[(10,)](x, largest, 100, BLOCK=128)
total = torch.zeros(1, device="cuda")
total_kernel[(8,)](x, total, x.numel(), BLOCK=128)
