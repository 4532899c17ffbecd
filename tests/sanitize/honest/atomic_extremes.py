# Largest and smallest element of a tensor with atomics; floats and integers.
import torch
import triton
import triton.language as tl


@triton.jit
def extremes_kernel(x_ptr, low_ptr, high_ptr, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    low = tl.min(tl.load(x_ptr + at, mask=at < n, other=1000), 0)
    high = tl.max(tl.load(x_ptr + at, mask=at < n, other=-1000), 0)
    tl.atomic_min(low_ptr, low)
    tl.atomic_max(high_ptr, high)


for dtype in (torch.int32, torch.int64, torch.float32):
    x = torch.randint(-500, 500, (300,), device="cuda").to(dtype)
    low = torch.full((1,), 999, device="cuda", dtype=dtype)
    high = torch.full((1,), -999, device="cuda", dtype=dtype)
    extremes_kernel[(3,)](x, low, high, 300, BLOCK=128)
    assert low.item() == x.min().item()
    assert high.item() == x.max().item()
