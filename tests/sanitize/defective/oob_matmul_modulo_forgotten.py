# Offsets of A wrap around the number of rows so that no mask is needed; those of B were forgotten.
# rule: out-of-bounds
import torch
import triton
import triton.language as tl


@triton.jit
def matmul_kernel(a_ptr, b_ptr, c_ptr, m_size, n_size, k_size, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    m = tl.program_id(0) * M + tl.arange(0, M)
    n = tl.program_id(1) * N + tl.arange(0, N)
    total = tl.zeros((M, N), tl.float32)
    for k in range(0, k_size, K):
        inner = k + tl.arange(0, K)
        a = tl.load(a_ptr + (m[:, None] % m_size) * k_size + inner[None, :])
        b = tl.load(b_ptr + inner[:, None] * n_size + n[None, :])  # <-- here
        total += tl.dot(a, b)
    inside = (m[:, None] < m_size) & (n[None, :] < n_size)
    tl.store(c_ptr + m[:, None] * n_size + n[None, :], total, mask=inside)


a = torch.rand(20, 32, device="cuda", dtype=torch.bfloat16)
b = torch.rand(32, 24, device="cuda", dtype=torch.bfloat16)
c = torch.empty(20, 24, device="cuda")
matmul_kernel[(2, 2)](a, b, c, 20, 24, 32, M=16, N=16, K=32)
