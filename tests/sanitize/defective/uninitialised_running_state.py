# The running mean is read before the first batch has written it.
# rule: uninitialised-read
import torch
import triton
import triton.language as tl


@triton.jit
def momentum_kernel(x_ptr, running_ptr, momentum, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    old = tl.load(running_ptr + at)  # <-- here
    tl.store(running_ptr + at, old * momentum + tl.load(x_ptr + at) * (1 - momentum))


x = torch.rand(64, device="cuda", dtype=torch.bfloat16)
running = torch.empty(64, device="cuda", dtype=torch.bfloat16)
for _ in range(3):
    momentum_kernel[(1,)](x, running, 0.9, BLOCK=64)
