# Whether a block holds anything is decided by its undefined lanes too.
# rule: undefined-lane
import torch
import triton
import triton.language as tl


@triton.jit
def flag_kernel(x_ptr, flag_ptr, n, BLOCK: tl.constexpr):
    block = tl.program_id(0)
    at = block * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + at, mask=at < n)
    if tl.max(x, 0) > 10:  # <-- here
        tl.store(flag_ptr + block, 1)


x = torch.randint(0, 10, (100,), device="cuda", dtype=torch.int32)
flag = torch.zeros(4, device="cuda", dtype=torch.int32)
flag_kernel[(4,)](x, flag, 100, BLOCK=32)
