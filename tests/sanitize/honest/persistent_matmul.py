# Fewer programs than tiles: each walks over its share.
import torch
import triton
import triton.language as tl


@triton.jit
def persistent_kernel(a_ptr, b_ptr, c_ptr, m_size, n_size, k_size, PROGRAMS: tl.constexpr, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    blocks_n = tl.cdiv(n_size, N)
    tiles = tl.cdiv(m_size, M) * blocks_n
    for tile in range(tl.program_id(0), tiles, PROGRAMS):
        m = (tile // blocks_n) * M + tl.arange(0, M)[:, None]
        n = (tile % blocks_n) * N + tl.arange(0, N)[None, :]
        total = tl.zeros((M, N), tl.float32)
        for start in tl.range(0, k_size, K, num_stages=2):
            k = start + tl.arange(0, K)
            a = tl.load(a_ptr + m * k_size + k[None, :], mask=(m < m_size) & (k[None, :] < k_size), other=0.0)
            b = tl.load(b_ptr + k[:, None] * n_size + n, mask=(k[:, None] < k_size) & (n < n_size), other=0.0)
            total = tl.dot(a, b, total)
        tl.store(c_ptr + m * n_size + n, total.to(tl.float16), mask=(m < m_size) & (n < n_size))


a = torch.randn(60, 40, device="cuda", dtype=torch.float16)
b = torch.randn(40, 70, device="cuda", dtype=torch.float16)
c = torch.empty(60, 70, device="cuda", dtype=torch.float16)
persistent_kernel[(3,)](a, b, c, 60, 70, 40, PROGRAMS=3, M=16, N=32, K=16)
torch.testing.assert_close(c.float(), a.float() @ b.float(), rtol=1e-2, atol=2e-2)
