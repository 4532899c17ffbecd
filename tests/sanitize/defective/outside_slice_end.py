# The slice ends before the block does; what follows belongs to the same tensor and is overwritten.
# rule: outside-tensor
import torch
import triton
import triton.language as tl


@triton.jit
def zero_kernel(x_ptr, BLOCK: tl.constexpr):
    tl.store(x_ptr + tl.arange(0, BLOCK), 0.0)  # <-- here


x = torch.rand(256, device="cuda")
zero_kernel[(1,)](x[:100], BLOCK=128)
