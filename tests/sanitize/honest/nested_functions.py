# Functions that call functions, return several values and take a function.
import torch
import triton
import triton.language as tl


@triton.jit
def square(x):
    return x * x


@triton.jit
def moments(x, inside, n):
    mean = tl.sum(tl.where(inside, x, 0.0), 0) / n
    variance = tl.sum(tl.where(inside, square(x - mean), 0.0), 0) / n
    return mean, variance


@triton.jit
def apply(f: tl.constexpr, x):
    return f(x)


@triton.jit
def stats_kernel(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + at, mask=at < n, other=0.0)
    mean, variance = moments(apply(square, x), at < n, n)
    tl.store(out_ptr, mean)
    tl.store(out_ptr + 1, variance)


x = torch.rand(100, device="cuda")
out = torch.empty(2, device="cuda")
stats_kernel[(1,)](x, out, 100, BLOCK=128)
torch.testing.assert_close(out[0], (x * x).mean(), rtol=1e-5, atol=1e-6)
torch.testing.assert_close(out[1], (x * x).var(unbiased=False), rtol=1e-4, atol=1e-6)
