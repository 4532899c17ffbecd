# Only the diagonal of the mask is set, and the kernel looks at all of it.
# rule: uninitialised-read
import torch
import triton
import triton.language as tl


@triton.jit
def apply_mask_kernel(x_ptr, mask_ptr, n, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    keep = tl.load(mask_ptr + at, mask=at < n, other=0)  # <-- here
    x = tl.load(x_ptr + at, mask=at < n, other=0.0)
    tl.store(x_ptr + at, tl.where(keep != 0, x, 0.0), mask=at < n)


x = torch.rand(8, 8, device="cuda")
mask = x.new_empty(8, 8, dtype=torch.bool)
mask.diagonal().fill_(True)
apply_mask_kernel[(1,)](x, mask, 64, BLOCK=64)
