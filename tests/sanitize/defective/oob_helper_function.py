# The helper that loads a row forgets the mask that its caller has.
# rule: out-of-bounds
import torch
import triton
import triton.language as tl


@triton.jit
def load_row(x_ptr, row, stride, at):
    return tl.load(x_ptr + row * stride + at)  # <-- here


@triton.jit
def softmax_kernel(x_ptr, out_ptr, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    x = tl.where(at < columns, load_row(x_ptr, row, columns, at), float("-inf"))
    e = tl.exp(x - tl.max(x, 0))
    tl.store(out_ptr + row * columns + at, e / tl.sum(e, 0), mask=at < columns)


x = torch.rand(6, 50, device="cuda")
out = torch.empty_like(x)
softmax_kernel[(6,)](x, out, 50, BLOCK=64)
