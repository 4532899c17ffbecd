# The flag goes up before the value is stored.
# rule: data-race
import torch
import triton
import triton.language as tl


@triton.jit
def hand_over_kernel(value_ptr, flag_ptr, out_ptr, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    if tl.program_id(0) == 0:
        tl.atomic_xchg(flag_ptr, 1, sem="release")
        tl.store(value_ptr + at, at * 2)  # <-- either
    else:
        while tl.atomic_add(flag_ptr, 0, sem="acquire") == 0:
            pass
        tl.store(out_ptr + at, tl.load(value_ptr + at))  # <-- either


value = torch.zeros(32, device="cuda", dtype=torch.int32)
flag = torch.zeros(1, device="cuda", dtype=torch.int32)
out = torch.zeros(32, device="cuda", dtype=torch.int32)
hand_over_kernel[(2,)](value, flag, out, BLOCK=32)
