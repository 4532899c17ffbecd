# Every program stores its sum into the same cell.
# rule: data-race
import torch
import triton
import triton.language as tl


@triton.jit
def sum_kernel(x_ptr, out_ptr, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out_ptr, tl.sum(tl.load(x_ptr + at), 0))  # <-- here


x = torch.rand(512, device="cuda")
out = torch.zeros(1, device="cuda")
sum_kernel[(4,)](x, out, BLOCK=128)
