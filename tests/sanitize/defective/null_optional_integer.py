# The caller passes 0 for "no output", the kernel stores anyway.
# rule: null-pointer
import torch
import triton
import triton.language as tl


@triton.jit
def mean_kernel(x_ptr, mean_address, BLOCK: tl.constexpr):
    x = tl.load(x_ptr + tl.arange(0, BLOCK))
    pointer = mean_address.to(tl.int64).to(tl.pointer_type(tl.float32))
    tl.store(pointer, tl.sum(x, 0) / BLOCK)  # <-- here


x = torch.rand(64, device="cuda")
mean_kernel[(1,)](x, 0, BLOCK=64)
