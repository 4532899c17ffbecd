# Tuples as arguments, as results and as what a loop carries.
import torch
import triton
import triton.language as tl


@triton.jit
def minmax(pair, x):
    return tl.minimum(pair[0], x), tl.maximum(pair[1], x)


@triton.jit
def range_kernel(pointers, sizes, n, BLOCK: tl.constexpr):
    x_ptr, out_ptr = pointers
    low, high = sizes
    at = tl.arange(0, BLOCK)
    pair = (tl.full((BLOCK,), high, tl.int32), tl.full((BLOCK,), low, tl.int32))
    for start in range(0, n, BLOCK):
        pair = minmax(pair, tl.load(x_ptr + start + at))
    tl.store(out_ptr, tl.min(pair[0], 0))
    tl.store(out_ptr + 1, tl.max(pair[1], 0))


x = torch.randint(-900, 900, (256,), device="cuda", dtype=torch.int32)
out = torch.empty(2, device="cuda", dtype=torch.int32)
range_kernel[(1,)]((x, out), (-1000, 1000), 256, BLOCK=64)
assert out.tolist() == [x.min().item(), x.max().item()]
