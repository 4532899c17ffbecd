# The scale of the tensor is computed and stored by every program.
# rule: same-value-race
import torch
import triton
import triton.language as tl


@triton.jit
def quantise_kernel(x_ptr, scale_ptr, out_ptr, SIZE: tl.constexpr, COLUMNS: tl.constexpr):
    row = tl.program_id(0)
    every = tl.arange(0, SIZE)
    scale = tl.max(tl.abs(tl.load(x_ptr + every)), 0) / 127.0
    tl.store(scale_ptr, scale)  # <-- here
    at = row * COLUMNS + tl.arange(0, COLUMNS)
    tl.store(out_ptr + at, (tl.load(x_ptr + at) / scale).to(tl.int8))


x = torch.randn(4, 32, device="cuda")
scale = torch.zeros(1, device="cuda")
out = torch.empty(4, 32, device="cuda", dtype=torch.int8)
quantise_kernel[(4,)](x, scale, out, SIZE=128, COLUMNS=32)
