# A message has three bytes of header; the words after it are read through a pointer to int32.
# rule: misaligned-access
import torch
import triton
import triton.language as tl


@triton.jit
def decode_kernel(message_ptr, out_ptr, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    words = (message_ptr + 3).to(tl.pointer_type(tl.int32))
    tl.store(out_ptr + at, tl.load(words + at))  # <-- here


message = torch.randint(0, 256, (3 + 64,), device="cuda", dtype=torch.uint8)
out = torch.empty(16, device="cuda", dtype=torch.int32)
decode_kernel[(1,)](message, out, BLOCK=16)
