# Popcount by hand, the exponent of a float from its bits, a fast inverse square root, byte swaps.
import torch
import triton
import triton.language as tl


@triton.jit
def bits_kernel(x_ptr, f_ptr, count_ptr, exponent_ptr, root_ptr, swapped_ptr, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + at).to(tl.uint32, bitcast=True)
    v = x - ((x >> 1) & 0x55555555)
    v = (v & 0x33333333) + ((v >> 2) & 0x33333333)
    v = ((v + (v >> 4)) & 0x0F0F0F0F) * 0x01010101
    tl.store(count_ptr + at, (v >> 24).to(tl.int32))
    swapped = (x << 24) | ((x & 0xFF00) << 8) | ((x >> 8) & 0xFF00) | (x >> 24)
    tl.store(swapped_ptr + at, swapped.to(tl.int32, bitcast=True))
    f = tl.load(f_ptr + at)
    word = f.to(tl.int32, bitcast=True)
    tl.store(exponent_ptr + at, ((word >> 23) & 0xFF) - 127)
    guess = (0x5F3759DF - (word >> 1)).to(tl.float32, bitcast=True)
    guess = guess * (1.5 - 0.5 * f * guess * guess)
    guess = guess * (1.5 - 0.5 * f * guess * guess)
    tl.store(root_ptr + at, guess)


x = torch.randint(-(2**31), 2**31 - 1, (64,), device="cuda", dtype=torch.int64).to(torch.int32)
f = torch.rand(64, device="cuda") * 100 + 0.01
count, exponent, swapped = (torch.empty(64, device="cuda", dtype=torch.int32) for _ in range(3))
root = torch.empty(64, device="cuda")
bits_kernel[(1,)](x, f, count, exponent, root, swapped, BLOCK=64)
assert count.tolist() == [bin(v & 0xFFFFFFFF).count("1") for v in x.tolist()]
assert torch.equal(exponent, (torch.frexp(f).exponent - 1).to(torch.int32))
torch.testing.assert_close(root, torch.rsqrt(f), rtol=1e-4, atol=1e-6)
for v, w in zip(x.tolist(), swapped.tolist()):
    assert (v & 0xFFFFFFFF).to_bytes(4, "little") == (w & 0xFFFFFFFF).to_bytes(4, "big")
