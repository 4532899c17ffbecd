# fp32 operands with the tensor core's default and with full precision.
import torch
import triton
import triton.language as tl


@triton.jit
def matmul_kernel(a_ptr, b_ptr, c_ptr, PRECISION: tl.constexpr, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    m = tl.arange(0, M)[:, None]
    n = tl.arange(0, N)[None, :]
    k = tl.arange(0, K)
    a = tl.load(a_ptr + m * K + k[None, :])
    b = tl.load(b_ptr + k[:, None] * N + n)
    tl.store(c_ptr + m * N + n, tl.dot(a, b, input_precision=PRECISION))


a = torch.randn(32, 64, device="cuda")
b = torch.randn(64, 16, device="cuda")
for precision, tolerance in ((None, 3e-2), ("tf32", 3e-2), ("tf32x3", 1e-4), ("ieee", 1e-4)):
    c = torch.empty(32, 16, device="cuda")
    matmul_kernel[(1,)](a, b, c, PRECISION=precision, M=32, N=16, K=64)
    torch.testing.assert_close(c, (a.double() @ b.double()).float(), rtol=tolerance, atol=tolerance)
