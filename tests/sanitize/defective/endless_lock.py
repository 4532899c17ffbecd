# The lock is never given back, so the second program waits for ever.
# rule: step-budget
import torch
import triton
import triton.language as tl


@triton.jit
def total_kernel(x_ptr, total_ptr, lock_ptr):
    x = tl.load(x_ptr + tl.program_id(0))
    while tl.atomic_cas(lock_ptr, 0, 1) == 1:  # <-- either
        pass  # <-- either
    tl.store(total_ptr, tl.load(total_ptr) + x)


x = torch.rand(2, device="cuda")
total = torch.zeros(1, device="cuda")
lock = torch.zeros(1, device="cuda", dtype=torch.int32)
total_kernel[(2,)](x, total, lock)
