# The lock is taken with a compare-and-swap and given back with an ordinary store.
# rule: data-race
import torch
import triton
import triton.language as tl


@triton.jit
def total_kernel(x_ptr, total_ptr, lock_ptr):
    x = tl.load(x_ptr + tl.program_id(0))
    while tl.atomic_cas(lock_ptr, 0, 1) == 1:  # <-- either
        pass
    total = tl.load(total_ptr)  # <-- either
    tl.store(total_ptr, total + x)  # <-- either
    tl.store(lock_ptr, 0)  # <-- either


x = torch.rand(8, device="cuda")
total = torch.zeros(1, device="cuda")
lock = torch.zeros(1, device="cuda", dtype=torch.int32)
total_kernel[(8,)](x, total, lock)
