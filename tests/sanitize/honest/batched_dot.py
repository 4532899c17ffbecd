# A product of three-dimensional tiles.
import torch
import triton
import triton.language as tl


@triton.jit
def batched_kernel(a_ptr, b_ptr, c_ptr, B: tl.constexpr, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    batch = tl.arange(0, B)[:, None, None]
    m = tl.arange(0, M)[None, :, None]
    n = tl.arange(0, N)[None, None, :]
    a = tl.load(a_ptr + batch * M * K + m * K + tl.arange(0, K)[None, None, :])
    b = tl.load(b_ptr + batch * K * N + tl.arange(0, K)[None, :, None] * N + n)
    tl.store(c_ptr + batch * M * N + m * N + n, tl.dot(a, b))


a = torch.randn(4, 16, 32, device="cuda", dtype=torch.float16)
b = torch.randn(4, 32, 16, device="cuda", dtype=torch.float16)
c = torch.empty(4, 16, 16, device="cuda")
batched_kernel[(1,)](a, b, c, B=4, M=16, N=16, K=32)
torch.testing.assert_close(c, torch.bmm(a.float(), b.float()), rtol=1e-3, atol=1e-3)
