# The loop counts one block more than there is.
# rule: out-of-bounds
import torch
import triton
import triton.language as tl


@triton.jit
def sum_kernel(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    total = tl.zeros((BLOCK,), tl.float32)
    for block in range(0, n // BLOCK + 1):
        total += tl.load(x_ptr + block * BLOCK + tl.arange(0, BLOCK))  # <-- here
    tl.store(out_ptr, tl.sum(total, 0))


x = torch.rand(512, device="cuda")
out = torch.zeros(1, device="cuda")
sum_kernel[(1,)](x, out, 512, BLOCK=64)
