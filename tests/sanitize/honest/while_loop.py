# Loops that end when the data says so, for each program and for a whole block.
import torch
import triton
import triton.language as tl


@triton.jit
def collatz_kernel(x_ptr, steps_ptr):
    i = tl.program_id(0)
    x = tl.load(x_ptr + i)
    steps = 0
    while x > 1:
        if x % 2 == 0:
            x = x // 2
        else:
            x = 3 * x + 1
        steps += 1
    tl.store(steps_ptr + i, steps)


@triton.jit
def gcd_kernel(x_ptr, y_ptr, out_ptr, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    x, y = tl.load(x_ptr + at), tl.load(y_ptr + at)
    while tl.max(y, 0) > 0:
        # Lanes that are done divide by one.
        rest = x % tl.where(y > 0, y, 1)
        x, y = tl.where(y > 0, y, x), tl.where(y > 0, rest, 0)
    tl.store(out_ptr + at, x)


x = torch.arange(1, 31, device="cuda")
steps = torch.empty(30, device="cuda", dtype=torch.int32)
collatz_kernel[(30,)](x, steps)
for start, found in zip(x.tolist(), steps.tolist()):
    expected = 0
    while start > 1:
        start = start // 2 if start % 2 == 0 else 3 * start + 1
        expected += 1
    assert found == expected
x = torch.randint(1, 10000, (64,), device="cuda")
y = torch.randint(1, 10000, (64,), device="cuda")
out = torch.empty_like(x)
gcd_kernel[(1,)](x, y, out, BLOCK=64)
assert torch.equal(out, torch.gcd(x, y))
