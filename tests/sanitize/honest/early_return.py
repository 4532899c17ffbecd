# Programs beyond the data, and rows that are switched off, end at once.
import torch
import triton
import triton.language as tl


@triton.jit
def scale_rows_kernel(x_ptr, active_ptr, rows, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    if row >= rows:
        return
    if tl.load(active_ptr + row) == 0:
        return
    at = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * columns + at, mask=at < columns)
    tl.store(x_ptr + row * columns + at, x * 10, mask=at < columns)


x = torch.rand(9, 20, device="cuda")
active = torch.tensor([1, 0, 1, 1, 0, 0, 1, 1, 0], device="cuda", dtype=torch.int8)
expected = torch.where(active[:, None] != 0, x * 10, x)
scale_rows_kernel[(16,)](x, active, 9, 20, BLOCK=32)
assert torch.equal(x, expected)
