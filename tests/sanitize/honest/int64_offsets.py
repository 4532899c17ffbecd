# Offsets that 32 bits can not hold cancel before memory is touched.
import torch
import triton
import triton.language as tl


@triton.jit
def far_kernel(x_ptr, out_ptr, stride, n, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    at = tl.arange(0, BLOCK).to(tl.int64)
    far = row * stride + at
    near = far - row * (stride - n)
    tl.store(out_ptr + near, tl.load(x_ptr + near, mask=at < n) + far, mask=at < n)


x = torch.randint(0, 100, (5, 20), device="cuda")
out = torch.empty_like(x)
far_kernel[(5,)](x, out, 3_000_000_000, 20, BLOCK=32)
row = torch.arange(5, device="cuda")[:, None] * 3_000_000_000
assert torch.equal(out, x + row + torch.arange(20, device="cuda"))
