# int32 elements are read through a pointer to int64: half as many fit.
# rule: out-of-bounds
import torch
import triton
import triton.language as tl


@triton.jit
def widen_kernel(x_ptr, out_ptr, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    wide_ptr = x_ptr.to(tl.pointer_type(tl.int64))
    x = tl.load(wide_ptr + at)  # <-- here
    tl.store(out_ptr + at, x)


x = torch.arange(64, device="cuda", dtype=torch.int32)
out = torch.empty(64, device="cuda", dtype=torch.int64)
widen_kernel[(1,)](x, out, BLOCK=64)
