# The output is reset before each trial, since the kernel adds to it.
import torch
import triton
import triton.language as tl


@triton.autotune(configs=[triton.Config({"BLOCK": 32}), triton.Config({"BLOCK": 64})], key=["n"], reset_to_zero=["out_ptr"])
@triton.jit
def sum_kernel(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.atomic_add(out_ptr, tl.sum(tl.load(x_ptr + at, mask=at < n, other=0), 0))


x = torch.randint(0, 100, (200,), device="cuda", dtype=torch.int32)
out = torch.zeros(1, device="cuda", dtype=torch.int32)
sum_kernel[lambda meta: (triton.cdiv(200, meta["BLOCK"]),)](x, out, 200)
assert out.item() == x.sum().item()
