# The iteration waits for a difference of exactly zero, and NaN never gives one.
# rule: step-budget
import torch
import triton
import triton.language as tl


@triton.jit
def root_kernel(x_ptr, out_ptr):
    x = tl.load(x_ptr)
    guess = x
    change = x
    while change != 0.0:  # <-- either
        better = 0.5 * (guess + x / guess)  # <-- either
        change = better - guess  # <-- either
        guess = better  # <-- either
    tl.store(out_ptr, guess)


x = torch.full((1,), float("nan"), device="cuda")
out = torch.zeros(1, device="cuda")
root_kernel[(1,)](x, out)
