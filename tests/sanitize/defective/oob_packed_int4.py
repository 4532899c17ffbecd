# Two values share a byte, and the offset of the byte was not halved.
# rule: out-of-bounds
import torch
import triton
import triton.language as tl


@triton.jit
def unpack_kernel(packed_ptr, out_ptr, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = at < n
    byte = tl.load(packed_ptr + at, mask=inside, other=0)  # <-- here
    value = (byte >> ((at % 2) * 4).to(tl.uint8)) & 0xF
    tl.store(out_ptr + at, value.to(tl.int8), mask=inside)


packed = torch.randint(0, 256, (128,), device="cuda", dtype=torch.uint8)
out = torch.empty(256, device="cuda", dtype=torch.int8)
unpack_kernel[(2,)](packed, out, 256, BLOCK=128)
