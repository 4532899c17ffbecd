# Nothing to do: an empty grid, and a grid whose every lane is masked off.
import torch
import triton
import triton.language as tl


@triton.jit
def negate_kernel(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out_ptr + at, -tl.load(x_ptr + at, mask=at < n), mask=at < n)


x = torch.empty(0, device="cuda")
out = torch.empty(0, device="cuda")
negate_kernel[(triton.cdiv(0, 128),)](x, out, 0, BLOCK=128)
negate_kernel[(1,)](x, out, 0, BLOCK=128)
assert out.numel() == 0
