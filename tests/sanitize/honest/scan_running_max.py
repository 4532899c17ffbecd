# Running maximum with an own combine function, along both axes.
import torch
import triton
import triton.language as tl


@triton.jit
def larger(x, y):
    return tl.maximum(x, y)


@triton.jit
def running_max_kernel(x_ptr, out_ptr, AXIS: tl.constexpr, M: tl.constexpr, N: tl.constexpr):
    at = tl.arange(0, M)[:, None] * N + tl.arange(0, N)[None, :]
    tl.store(out_ptr + at, tl.associative_scan(tl.load(x_ptr + at), AXIS, larger))


x = torch.randn(16, 32, device="cuda")
for axis in (0, 1):
    out = torch.empty_like(x)
    running_max_kernel[(1,)](x, out, AXIS=axis, M=16, N=32)
    assert torch.equal(out, torch.cummax(x, axis).values)
