# A kernel that was warmed up with a stride of 64 runs with one of 65.
# rule: wrong-divisibility
import torch
import triton
import triton.language as tl


@triton.jit
def row_sum_kernel(x_ptr, out_ptr, stride, BLOCK: tl.constexpr):  # <-- here
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    tl.store(out_ptr + row, tl.sum(tl.load(x_ptr + row * stride + at), 0))


aligned = torch.rand(4, 64, device="cuda")
out = torch.empty(4, device="cuda")
compiled = row_sum_kernel.warmup(aligned, out, aligned.stride(0), BLOCK=64, grid=(4,))
odd = torch.rand(4, 65, device="cuda")
compiled[(4, 1, 1)](odd, out, odd.stride(0), 64)
