# The lock is given back before the total is stored.
# rule: data-race
import torch
import triton
import triton.language as tl


@triton.jit
def total_kernel(x_ptr, total_ptr, lock_ptr, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + tl.program_id(0) * BLOCK + at)
    while tl.atomic_cas(lock_ptr, 0, 1) == 1:
        pass
    total = tl.load(total_ptr + at)  # <-- either
    tl.atomic_xchg(lock_ptr, 0)
    tl.store(total_ptr + at, total + x)  # <-- either


x = torch.rand(8, 32, device="cuda")
total = torch.zeros(32, device="cuda")
lock = torch.zeros(1, device="cuda", dtype=torch.int32)
total_kernel[(8,)](x, total, lock, BLOCK=32)
