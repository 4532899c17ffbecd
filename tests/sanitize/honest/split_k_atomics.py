# Parts of K are added into a zeroed output with atomic additions.
import torch
import triton
import triton.language as tl


@triton.jit
def split_k_kernel(a_ptr, b_ptr, c_ptr, m_size, n_size, k_size, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr, SPLIT: tl.constexpr):
    m = tl.program_id(0) * M + tl.arange(0, M)
    n = tl.program_id(1) * N + tl.arange(0, N)
    total = tl.zeros((M, N), tl.float32)
    for start in range(tl.program_id(2) * K, k_size, K * SPLIT):
        k = start + tl.arange(0, K)
        a = tl.load(a_ptr + m[:, None] * k_size + k[None, :], mask=(m[:, None] < m_size) & (k[None, :] < k_size), other=0.0)
        b = tl.load(b_ptr + k[:, None] * n_size + n[None, :], mask=(k[:, None] < k_size) & (n[None, :] < n_size), other=0.0)
        total = tl.dot(a, b, total)
    inside = (m[:, None] < m_size) & (n[None, :] < n_size)
    tl.atomic_add(c_ptr + m[:, None] * n_size + n[None, :], total, mask=inside, sem="relaxed")


a = torch.randn(24, 130, device="cuda", dtype=torch.float16)
b = torch.randn(130, 40, device="cuda", dtype=torch.float16)
c = torch.zeros(24, 40, device="cuda")
split_k_kernel[(2, 3, 4)](a, b, c, 24, 40, 130, M=16, N=16, K=16, SPLIT=4)
torch.testing.assert_close(c, a.float() @ b.float(), rtol=1e-3, atol=1e-3)
