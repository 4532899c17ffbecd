# Value and place of the largest and smallest element.
import torch
import triton
import triton.language as tl


@triton.jit
def extremes_kernel(x_ptr, value_ptr, place_ptr, columns, N: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, N)
    inside = at < columns
    high = tl.load(x_ptr + row * columns + at, mask=inside, other=float("-inf"))
    low = tl.load(x_ptr + row * columns + at, mask=inside, other=float("inf"))
    value, place = tl.max(high, 0, return_indices=True)
    tl.store(value_ptr + row, value)
    tl.store(place_ptr + row * 2, place)
    tl.store(place_ptr + row * 2 + 1, tl.argmin(low, 0))


x = torch.randn(7, 40, device="cuda")
value = torch.empty(7, device="cuda")
place = torch.empty(7, 2, device="cuda", dtype=torch.int32)
extremes_kernel[(7,)](x, value, place, 40, N=64)
assert torch.equal(value, x.max(1).values)
assert torch.equal(place[:, 0].long(), x.argmax(1))
assert torch.equal(place[:, 1].long(), x.argmin(1))
