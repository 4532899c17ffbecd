"""A softmax over rows without a defect. See what it costs: tritonrl sanitize --profile examples/sanitize/softmax.py"""

import torch
import triton
import triton.language as tl


@triton.jit
def softmax_kernel(x_ptr, out_ptr, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * columns + at, mask=at < columns, other=float("-inf"))
    e = tl.exp(x - tl.max(x, 0))
    tl.store(out_ptr + row * columns + at, e / tl.sum(e, 0), mask=at < columns)


x = torch.rand(64, 1000, device="cuda")
out = torch.empty_like(x)
softmax_kernel[(64,)](x, out, 1000, BLOCK=1024)
torch.testing.assert_close(out, torch.softmax(x, 1))
