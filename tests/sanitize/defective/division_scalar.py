# The average of an empty group.
# rule: division-by-zero
import torch
import triton
import triton.language as tl


@triton.jit
def average_kernel(total_ptr, count_ptr, out_ptr):
    i = tl.program_id(0)
    total = tl.load(total_ptr + i)
    count = tl.load(count_ptr + i)
    tl.store(out_ptr + i, total // count)  # <-- here


total = torch.tensor([10, 0, 9], device="cuda", dtype=torch.int32)
count = torch.tensor([2, 0, 3], device="cuda", dtype=torch.int32)
out = torch.zeros(3, device="cuda", dtype=torch.int32)
average_kernel[(3,)](total, count, out)
