# Root-mean-square normalisation of bf16 rows, in fp32.
import torch
import triton
import triton.language as tl


@triton.jit
def rms_kernel(x_ptr, weight_ptr, out_ptr, columns, eps, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    at = tl.arange(0, BLOCK)
    inside = at < columns
    x = tl.load(x_ptr + row * columns + at, mask=inside, other=0.0).to(tl.float32)
    scale = tl.rsqrt(tl.sum(x * x, 0) / columns + eps)
    weight = tl.load(weight_ptr + at, mask=inside).to(tl.float32)
    tl.store(out_ptr + row * columns + at, (x * scale * weight).to(tl.bfloat16), mask=inside)


x = torch.randn(9, 200, device="cuda", dtype=torch.bfloat16)
weight = torch.rand(200, device="cuda", dtype=torch.bfloat16)
out = torch.empty_like(x)
rms_kernel[(9,)](x, weight, out, 200, 1e-6, BLOCK=256)
wide = x.float()
expected = wide * torch.rsqrt(wide.pow(2).mean(1, keepdim=True) + 1e-6) * weight.float()
torch.testing.assert_close(out.float(), expected, rtol=2e-2, atol=2e-2)
