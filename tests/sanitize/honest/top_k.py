# The largest elements of each row; padding can not win.
import torch
import triton
import triton.language as tl


@triton.jit
def top_k_kernel(x_ptr, out_ptr, columns, N: tl.constexpr, K: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, N)
    x = tl.load(x_ptr + row * columns + at, mask=at < columns, other=float("-inf"))
    tl.store(out_ptr + row * K + tl.arange(0, K), tl.topk(x, K))


x = torch.randn(5, 50, device="cuda")
out = torch.empty(5, 8, device="cuda")
top_k_kernel[(5,)](x, out, 50, N=64, K=8)
assert torch.equal(out, torch.topk(x, 8, dim=1).values)
