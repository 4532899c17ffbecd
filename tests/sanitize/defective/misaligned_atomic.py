# A counter is squeezed into a byte buffer at an odd place.
# rule: misaligned-access
import torch
import triton
import triton.language as tl


@triton.jit
def count_kernel(buffer_ptr, offset):
    counter = (buffer_ptr + offset).to(tl.pointer_type(tl.int32))
    tl.atomic_add(counter, 1)  # <-- here


buffer = torch.zeros(64, device="cuda", dtype=torch.uint8)
count_kernel[(4,)](buffer, 6)
