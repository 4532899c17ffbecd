# One program clears the counter with a plain store while the others add to it.
# rule: data-race
import torch
import triton
import triton.language as tl


@triton.jit
def count_kernel(counter_ptr):
    if tl.program_id(0) == 0:
        tl.store(counter_ptr, 0)  # <-- either
    tl.atomic_add(counter_ptr, 1, sem="relaxed")  # <-- either


counter = torch.zeros(1, device="cuda", dtype=torch.int32)
count_kernel[(8,)](counter)
