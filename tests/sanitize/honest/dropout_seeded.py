# The mask of the forward pass is made again from the seed in the backward pass.
import torch
import triton
import triton.language as tl


@triton.jit
def dropout_kernel(x_ptr, out_ptr, n, p, seed, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + at, mask=at < n, other=0.0)
    keep = tl.rand(seed, at) > p
    tl.store(out_ptr + at, tl.where(keep, x / (1 - p), 0.0), mask=at < n)


x = torch.ones(5000, device="cuda")
first, second, other = (torch.empty_like(x) for _ in range(3))
dropout_kernel[(20,)](x, first, 5000, 0.3, 123, BLOCK=256)
dropout_kernel[(20,)](x, second, 5000, 0.3, 123, BLOCK=256)
dropout_kernel[(20,)](x, other, 5000, 0.3, 124, BLOCK=256)
assert torch.equal(first, second)
assert not torch.equal(first, other)
assert abs((first == 0).float().mean().item() - 0.3) < 0.05
torch.testing.assert_close(first[first != 0], torch.full_like(first[first != 0], 1 / 0.7), rtol=1e-5, atol=0)
