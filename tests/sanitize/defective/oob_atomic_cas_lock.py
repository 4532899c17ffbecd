# There is a lock for each group, and one is taken for each row.
# rule: out-of-bounds
import torch
import triton
import triton.language as tl


@triton.jit
def locked_kernel(x_ptr, total_ptr, lock_ptr, groups):
    row = tl.program_id(0)
    x = tl.load(x_ptr + row)
    while tl.atomic_cas(lock_ptr + row, 0, 1) == 1:  # <-- here
        pass
    tl.store(total_ptr + row, tl.load(total_ptr + row) + x)
    tl.atomic_xchg(lock_ptr + row % groups, 0)


x = torch.rand(4, device="cuda")
total = torch.zeros(4, device="cuda")
lock = torch.zeros(3, device="cuda", dtype=torch.int32)
locked_kernel[(4,)](x, total, lock, 3)
