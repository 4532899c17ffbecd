# Operands of eight bits with a scale for each row and column.
import torch
import triton
import triton.language as tl


@triton.jit
def matmul_kernel(a_ptr, b_ptr, a_scale_ptr, b_scale_ptr, c_ptr, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    m = tl.arange(0, M)
    n = tl.arange(0, N)
    k = tl.arange(0, K)
    a = tl.load(a_ptr + m[:, None] * K + k[None, :])
    b = tl.load(b_ptr + k[:, None] * N + n[None, :])
    total = tl.dot(a, b)
    total *= tl.load(a_scale_ptr + m)[:, None] * tl.load(b_scale_ptr + n)[None, :]
    tl.store(c_ptr + m[:, None] * N + n[None, :], total)


a = torch.randint(-4, 5, (32, 64), device="cuda").float()
b = torch.randint(-4, 5, (64, 32), device="cuda").float()
a_scale = torch.rand(32, device="cuda")
b_scale = torch.rand(32, device="cuda")
c = torch.empty(32, 32, device="cuda")
matmul_kernel[(1,)](a.to(torch.float8_e4m3fn), b.to(torch.float8_e4m3fn), a_scale, b_scale, c, M=32, N=32, K=64)
torch.testing.assert_close(c, (a @ b) * a_scale[:, None] * b_scale[None, :], rtol=1e-5, atol=1e-4)
