# Mean and variance of a row, then scale and shift; the statistics are kept for the backward pass.
import torch
import triton
import triton.language as tl


@triton.jit
def layer_norm_kernel(x_ptr, weight_ptr, bias_ptr, out_ptr, mean_ptr, rstd_ptr, columns, eps, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    total = tl.zeros((BLOCK,), tl.float32)
    for start in range(0, columns, BLOCK):
        at = start + tl.arange(0, BLOCK)
        total += tl.load(x_ptr + row * columns + at, mask=at < columns, other=0.0).to(tl.float32)
    mean = tl.sum(total, 0) / columns
    squares = tl.zeros((BLOCK,), tl.float32)
    for start in range(0, columns, BLOCK):
        at = start + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + row * columns + at, mask=at < columns, other=0.0).to(tl.float32)
        centred = tl.where(at < columns, x - mean, 0.0)
        squares += centred * centred
    rstd = 1 / tl.sqrt(tl.sum(squares, 0) / columns + eps)
    tl.store(mean_ptr + row, mean)
    tl.store(rstd_ptr + row, rstd)
    for start in range(0, columns, BLOCK):
        at = start + tl.arange(0, BLOCK)
        inside = at < columns
        x = tl.load(x_ptr + row * columns + at, mask=inside, other=0.0).to(tl.float32)
        y = (x - mean) * rstd * tl.load(weight_ptr + at, mask=inside) + tl.load(bias_ptr + at, mask=inside)
        tl.store(out_ptr + row * columns + at, y, mask=inside)


x = torch.randn(10, 150, device="cuda", dtype=torch.float16)
weight = torch.rand(150, device="cuda", dtype=torch.float16)
bias = torch.rand(150, device="cuda", dtype=torch.float16)
out = torch.empty_like(x)
mean = torch.empty(10, device="cuda")
rstd = torch.empty(10, device="cuda")
layer_norm_kernel[(10,)](x, weight, bias, out, mean, rstd, 150, 1e-5, BLOCK=64)
expected = torch.nn.functional.layer_norm(x.float(), (150,), weight.float(), bias.float(), 1e-5)
torch.testing.assert_close(out.float(), expected, rtol=1e-2, atol=1e-2)
torch.testing.assert_close(mean, x.float().mean(1), rtol=1e-3, atol=1e-4)
