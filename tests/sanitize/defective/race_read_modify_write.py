# Sums are added to the cell without an atomic operation.
# rule: data-race
import torch
import triton
import triton.language as tl


@triton.jit
def sum_kernel(x_ptr, out_ptr, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    part = tl.sum(tl.load(x_ptr + at), 0)
    total = tl.load(out_ptr)  # <-- either
    tl.store(out_ptr, total + part)  # <-- either


x = torch.rand(512, device="cuda")
out = torch.zeros(1, device="cuda")
sum_kernel[(4,)](x, out, BLOCK=128)
