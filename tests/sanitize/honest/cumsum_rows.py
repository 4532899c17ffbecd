# Running sums along each axis of a tile, forward and backward.
import torch
import triton
import triton.language as tl


@triton.jit
def cumsum_kernel(x_ptr, out_ptr, AXIS: tl.constexpr, REVERSE: tl.constexpr, M: tl.constexpr, N: tl.constexpr):
    at = tl.arange(0, M)[:, None] * N + tl.arange(0, N)[None, :]
    tl.store(out_ptr + at, tl.cumsum(tl.load(x_ptr + at), AXIS, reverse=REVERSE))


x = torch.randint(-9, 10, (16, 32), device="cuda").float()
for axis in (0, 1):
    for reverse in (False, True):
        out = torch.empty_like(x)
        cumsum_kernel[(1,)](x, out, AXIS=axis, REVERSE=reverse, M=16, N=32)
        expected = x.flip(axis).cumsum(axis).flip(axis) if reverse else x.cumsum(axis)
        assert torch.equal(out, expected)
