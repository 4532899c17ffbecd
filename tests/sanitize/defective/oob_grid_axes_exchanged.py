# The launch gives rows on the first axis, the kernel takes columns from it.
# rule: out-of-bounds
import torch
import triton
import triton.language as tl


@triton.jit
def count_kernel(visits_ptr, columns):
    column = tl.program_id(0)
    row = tl.program_id(1)
    tl.atomic_add(visits_ptr + row * columns + column, 1)  # <-- here


rows, columns = 3, 5
visits = torch.zeros(rows, columns, device="cuda", dtype=torch.int32)
count_kernel[(rows, columns)](visits, columns)
