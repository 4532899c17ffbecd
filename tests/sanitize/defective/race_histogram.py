# Bins are counted with a load and a store.
# rule: data-race
import torch
import triton
import triton.language as tl


@triton.jit
def histogram_kernel(x_ptr, count_ptr):
    i = tl.program_id(0)
    bin = tl.load(x_ptr + i)
    count = tl.load(count_ptr + bin)  # <-- either
    tl.store(count_ptr + bin, count + 1)  # <-- either


x = torch.randint(0, 4, (64,), device="cuda", dtype=torch.int32)
count = torch.zeros(4, device="cuda", dtype=torch.int32)
histogram_kernel[(64,)](x, count)
