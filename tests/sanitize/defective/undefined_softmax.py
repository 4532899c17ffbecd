# The maximum of a row looks at the padding, which holds anything.
# rule: undefined-lane
import torch
import triton
import triton.language as tl


@triton.jit
def softmax_kernel(x_ptr, out_ptr, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * columns + at, mask=at < columns)
    e = tl.exp(x - tl.max(x, 0))
    y = e / tl.sum(e, 0)
    tl.store(out_ptr + row * columns + at, y, mask=at < columns)  # <-- here


x = torch.rand(3, 100, device="cuda")
out = torch.empty_like(x)
softmax_kernel[(3,)](x, out, 100, BLOCK=128)
