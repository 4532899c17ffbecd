# B is passed as a transposed view; its strides say so.
import torch
import triton
import triton.language as tl


@triton.jit
def matmul_kernel(a_ptr, b_ptr, c_ptr, m_size, n_size, k_size, b_row, b_column, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    m = tl.program_id(0) * M + tl.arange(0, M)[:, None]
    n = tl.program_id(1) * N + tl.arange(0, N)[None, :]
    total = tl.zeros((M, N), tl.float32)
    for start in range(0, k_size, K):
        k = start + tl.arange(0, K)
        a = tl.load(a_ptr + m * k_size + k[None, :], mask=(m < m_size) & (k[None, :] < k_size), other=0.0)
        b = tl.load(b_ptr + k[:, None] * b_row + n * b_column, mask=(k[:, None] < k_size) & (n < n_size), other=0.0)
        total += tl.dot(a, b)
    tl.store(c_ptr + m * n_size + n, total, mask=(m < m_size) & (n < n_size))


a = torch.randn(40, 64, device="cuda", dtype=torch.bfloat16)
b = torch.randn(48, 64, device="cuda", dtype=torch.bfloat16).t()
c = torch.empty(40, 48, device="cuda")
matmul_kernel[(2, 2)](a, b, c, 40, 48, 64, b.stride(0), b.stride(1), M=32, N=32, K=32)
torch.testing.assert_close(c, a.float() @ b.float(), rtol=1e-3, atol=1e-3)
