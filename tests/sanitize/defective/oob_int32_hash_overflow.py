# The hash is computed in 32 bits, turns negative, and a negative remainder is no slot.
# rule: out-of-bounds
import torch
import triton
import triton.language as tl


@triton.jit
def insert_kernel(key_ptr, slot_ptr, slots, n, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    key = tl.load(key_ptr + at, mask=at < n, other=0)
    slot = (key * 1000003 + 12345) % slots
    tl.atomic_add(slot_ptr + slot, 1, mask=at < n)  # <-- here


key = torch.arange(1, 60, device="cuda", dtype=torch.int32) * 997
count = torch.zeros(64, device="cuda", dtype=torch.int32)
insert_kernel[(1,)](key, count, 64, key.numel(), BLOCK=64)
