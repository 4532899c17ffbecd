# The counter is never advanced.
# rule: step-budget
import torch
import triton
import triton.language as tl


@triton.jit
def halve_kernel(x_ptr, out_ptr):
    x = tl.load(x_ptr)
    steps = 0
    while x > 1:  # <-- either
        steps += 1  # <-- either
    tl.store(out_ptr, steps)


x = torch.full((1,), 100, device="cuda", dtype=torch.int32)
out = torch.zeros(1, device="cuda", dtype=torch.int32)
halve_kernel[(1,)](x, out)
