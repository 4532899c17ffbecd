# Random bits decide the last place of a bf16; both neighbours are near.
import torch
import triton
import triton.language as tl


@triton.jit
def round_kernel(x_ptr, out_ptr, seed, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + at, mask=at < n)
    noise = tl.randint(seed, at).to(tl.uint32, bitcast=True) & 0xFFFF
    word = x.to(tl.uint32, bitcast=True) + noise
    rounded = (word & 0xFFFF0000).to(tl.float32, bitcast=True)
    tl.store(out_ptr + at, rounded.to(tl.bfloat16), mask=at < n)


x = torch.full((4096,), 1.0 + 2.0**-9, device="cuda")
out = torch.empty(4096, device="cuda", dtype=torch.bfloat16)
round_kernel[(16,)](x, out, 7, 4096, BLOCK=256)
assert set(out.float().unique().tolist()) == {1.0, 1.0 + 2.0**-7}
assert abs(out.float().mean().item() - x[0].item()) < 5e-4
