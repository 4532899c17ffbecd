# The number of groups is passed as zero when grouping is off.
# rule: division-by-zero
import torch
import triton
import triton.language as tl


@triton.jit
def group_kernel(out_ptr, groups, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    tl.store(out_ptr + at, at % groups)  # <-- here


out = torch.zeros(32, device="cuda", dtype=torch.int32)
group_kernel[(1,)](out, 0, BLOCK=32)
