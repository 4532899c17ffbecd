# Sets of small numbers as words of bits, made with atomic or and xor.
import torch
import triton
import triton.language as tl


@triton.jit
def insert_kernel(x_ptr, set_ptr, parity_ptr, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + at, mask=at < n, other=0)
    bit = tl.full((BLOCK,), 1, tl.int32) << (x % 32)
    tl.atomic_or(set_ptr + x // 32, bit, mask=at < n)
    tl.atomic_xor(parity_ptr + x // 32, bit, mask=at < n)


x = torch.randint(0, 128, (100,), device="cuda", dtype=torch.int32)
found = torch.zeros(4, device="cuda", dtype=torch.int32)
parity = torch.zeros(4, device="cuda", dtype=torch.int32)
insert_kernel[(2,)](x, found, parity, 100, BLOCK=64)
count = torch.bincount(x, minlength=128).cpu()
for number in range(128):
    assert (found[number // 32].item() >> (number % 32)) & 1 == (count[number] > 0)
    assert (parity[number // 32].item() >> (number % 32)) & 1 == count[number] % 2
