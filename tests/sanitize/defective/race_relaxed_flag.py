# The flag says that the value is there, but relaxed operations order nothing.
# rule: data-race
import torch
import triton
import triton.language as tl


@triton.jit
def hand_over_kernel(value_ptr, flag_ptr, out_ptr):
    if tl.program_id(0) == 0:
        tl.store(value_ptr, 42)  # <-- either
        tl.atomic_xchg(flag_ptr, 1, sem="relaxed")
    else:
        while tl.atomic_add(flag_ptr, 0, sem="relaxed") == 0:
            pass
        tl.store(out_ptr, tl.load(value_ptr))  # <-- either


value = torch.zeros(1, device="cuda", dtype=torch.int32)
flag = torch.zeros(1, device="cuda", dtype=torch.int32)
out = torch.zeros(1, device="cuda", dtype=torch.int32)
hand_over_kernel[(2,)](value, flag, out)
