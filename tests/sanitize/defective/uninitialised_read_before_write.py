# Ping and pong are exchanged: the pass reads the buffer that it should fill.
# rule: uninitialised-read
import torch
import triton
import triton.language as tl


@triton.jit
def pass_kernel(source_ptr, target_ptr, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(source_ptr + at, mask=at < n, other=0)  # <-- here
    tl.store(target_ptr + at, x ^ (x >> 1), mask=at < n)


ping = torch.randint(0, 1000, (200,), device="cuda")
pong = torch.empty_like(ping)
pass_kernel[(2,)](pong, ping, 200, BLOCK=128)
