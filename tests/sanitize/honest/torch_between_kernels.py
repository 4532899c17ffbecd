# torch writes what one kernel reads, and reads what another wrote.
import torch
import triton
import triton.language as tl


@triton.jit
def scale_kernel(x_ptr, factor_ptr, out_ptr, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + at, mask=at < n)
    tl.store(out_ptr + at, x * tl.load(factor_ptr), mask=at < n)


x = torch.empty(200, device="cuda")
x.copy_(torch.arange(200, dtype=torch.float32))
factor = torch.empty(1, device="cuda")
factor.fill_(3.0)
out = torch.empty(200, device="cuda")
scale_kernel[(2,)](x, factor, out, 200, BLOCK=128)
factor[0] = out.max() / 597
torch.add(out, 1, out=x)
scale_kernel[(2,)](x, factor, out, 200, BLOCK=128)
assert torch.equal(out, torch.arange(200, device="cuda") * 3.0 + 1)
