# The flag is a plain store and a volatile load: they order nothing.
# rule: data-race
import torch
import triton
import triton.language as tl


@triton.jit
def hand_over_kernel(value_ptr, flag_ptr, out_ptr):
    if tl.program_id(0) == 0:
        tl.store(value_ptr, 7.0)  # <-- either
        tl.store(flag_ptr, 1)  # <-- either
    else:
        while tl.load(flag_ptr, volatile=True) == 0:  # <-- either
            pass
        tl.store(out_ptr, tl.load(value_ptr))  # <-- either


value = torch.zeros(1, device="cuda")
flag = torch.zeros(1, device="cuda", dtype=torch.int32)
out = torch.zeros(1, device="cuda")
hand_over_kernel[(2,)](value, flag, out)
