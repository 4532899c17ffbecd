# Rows longer than a block: one pass for the maximum and the sum, one to write.
import torch
import triton
import triton.language as tl


@triton.jit
def softmax_kernel(x_ptr, out_ptr, columns, BLOCK: tl.constexpr):
    x_ptr += tl.program_id(0) * columns
    out_ptr += tl.program_id(0) * columns
    best = tl.full((BLOCK,), float("-inf"), tl.float32)
    total = tl.zeros((BLOCK,), tl.float32)
    for start in range(0, columns, BLOCK):
        at = start + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + at, mask=at < columns, other=float("-inf"))
        larger = tl.maximum(best, x)
        # A lane that has met nothing yet would subtract infinity from infinity.
        shift = tl.where(larger == float("-inf"), 0.0, larger)
        total = total * tl.exp(best - shift) + tl.exp(x - shift)
        best = larger
    row_max = tl.max(best, 0)
    row_sum = tl.sum(total * tl.exp(best - row_max), 0)
    for start in range(0, columns, BLOCK):
        at = start + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + at, mask=at < columns)
        tl.store(out_ptr + at, tl.exp(x - row_max) / row_sum, mask=at < columns)


x = torch.randn(5, 300, device="cuda") * 3
out = torch.empty_like(x)
softmax_kernel[(5,)](x, out, 300, BLOCK=64)
torch.testing.assert_close(out, torch.softmax(x, dim=1), rtol=1e-5, atol=1e-6)
