# A grid barrier waits for more programs than were launched.
# rule: step-budget
import torch
import triton
import triton.language as tl


@triton.jit
def barrier_kernel(x_ptr, arrived_ptr, programs):
    i = tl.program_id(0)
    tl.store(x_ptr + i, i)
    tl.atomic_add(arrived_ptr, 1)
    while tl.atomic_add(arrived_ptr, 0) < programs:  # <-- either
        pass  # <-- either


x = torch.zeros(4, device="cuda", dtype=torch.int32)
arrived = torch.zeros(1, device="cuda", dtype=torch.int32)
barrier_kernel[(4,)](x, arrived, 5)
