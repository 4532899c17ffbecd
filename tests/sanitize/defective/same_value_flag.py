# Every program that finds a bad number raises the same flag.
# rule: same-value-race
import torch
import triton
import triton.language as tl


@triton.jit
def check_kernel(x_ptr, flag_ptr, BLOCK: tl.constexpr):
    x = tl.load(x_ptr + tl.program_id(0) * BLOCK + tl.arange(0, BLOCK))
    if tl.max(x, 0) > 0.5:
        tl.store(flag_ptr, 1)  # <-- here


x = torch.ones(256, device="cuda")
flag = torch.zeros(1, device="cuda", dtype=torch.int32)
check_kernel[(4,)](x, flag, BLOCK=64)
