# The kernel was compiled for aligned pointers and is launched again with a slice that is not.
# rule: wrong-divisibility
import torch
import triton
import triton.language as tl


@triton.jit
def copy_kernel(x_ptr, out_ptr, BLOCK: tl.constexpr):  # <-- here
    at = tl.arange(0, BLOCK)
    tl.store(out_ptr + at, tl.load(x_ptr + at))


x = torch.rand(129, device="cuda")
out = torch.empty(128, device="cuda")
compiled = copy_kernel[(1,)](x, out, BLOCK=128)
compiled[(1, 1, 1)](x[1:], out, 128)
