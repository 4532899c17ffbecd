# Right for the small block, wrong for the large one that may be chosen.
# rule: out-of-bounds
import torch
import triton
import triton.language as tl


@triton.autotune(configs=[triton.Config({"BLOCK": 128})], key=["n"])
@triton.jit
def clip_kernel(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + at, mask=at < n, other=0)
    tl.store(out_ptr + at, tl.minimum(x, 100))  # <-- here


n = 192
x = torch.randint(0, 127, (n,), device="cuda", dtype=torch.int8)
out = torch.empty_like(x)
clip_kernel[lambda meta: (triton.cdiv(n, meta["BLOCK"]),)](x, out, n)
