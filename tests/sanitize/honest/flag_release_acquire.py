# One program hands a block over to the other.
import torch
import triton
import triton.language as tl


@triton.jit
def hand_over_kernel(x_ptr, box_ptr, flag_ptr, out_ptr, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    if tl.program_id(0) == 0:
        tl.store(box_ptr + at, tl.load(x_ptr + at) + 1)
        tl.debug_barrier()
        tl.atomic_xchg(flag_ptr, 1, sem="release")
    else:
        while tl.atomic_cas(flag_ptr, 1, 1, sem="acquire") != 1:
            pass
        tl.debug_barrier()
        tl.store(out_ptr + at, tl.load(box_ptr + at))


x = torch.arange(64, device="cuda", dtype=torch.int32)
box = torch.empty_like(x)
out = torch.empty_like(x)
flag = torch.zeros(1, device="cuda", dtype=torch.int32)
hand_over_kernel[(2,)](x, box, flag, out, BLOCK=64)
assert torch.equal(out, x + 1)
