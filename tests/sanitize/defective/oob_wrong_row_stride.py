# The row stride of the padded input is used for the packed output.
# rule: out-of-bounds
import torch
import triton
import triton.language as tl


@triton.jit
def pack_kernel(x_ptr, out_ptr, columns, stride, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * stride + at, mask=at < columns, other=0.0)
    tl.store(out_ptr + row * stride + at, x, mask=at < columns)  # <-- here


padded = torch.rand(6, 40, device="cuda")
x = padded[:, :32]
out = torch.zeros(6, 32, device="cuda")
pack_kernel[(6,)](x, out, 32, x.stride(0), BLOCK=32)
