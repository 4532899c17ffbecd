# Matrices of several sizes behind a table of pointers; all of them are alive.
import torch
import triton
import triton.language as tl


@triton.jit
def grouped_kernel(a_table, b_table, c_table, size_ptr, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    i = tl.program_id(0)
    a_ptr = tl.load(a_table + i).to(tl.pointer_type(tl.float16))
    b_ptr = tl.load(b_table + i).to(tl.pointer_type(tl.float16))
    c_ptr = tl.load(c_table + i).to(tl.pointer_type(tl.float32))
    m_size, n_size, k_size = tl.load(size_ptr + i * 3), tl.load(size_ptr + i * 3 + 1), tl.load(size_ptr + i * 3 + 2)
    for tile in range(0, tl.cdiv(m_size, M) * tl.cdiv(n_size, N)):
        m = (tile // tl.cdiv(n_size, N)) * M + tl.arange(0, M)[:, None]
        n = (tile % tl.cdiv(n_size, N)) * N + tl.arange(0, N)[None, :]
        total = tl.zeros((M, N), tl.float32)
        for start in range(0, k_size, K):
            k = start + tl.arange(0, K)
            a = tl.load(a_ptr + m * k_size + k[None, :], mask=(m < m_size) & (k[None, :] < k_size), other=0.0)
            b = tl.load(b_ptr + k[:, None] * n_size + n, mask=(k[:, None] < k_size) & (n < n_size), other=0.0)
            total = tl.dot(a, b, total)
        tl.store(c_ptr + m * n_size + n, total, mask=(m < m_size) & (n < n_size))


sizes = [(20, 16, 30), (16, 40, 16), (5, 7, 9)]
a = [torch.randn(m, k, device="cuda", dtype=torch.float16) for m, n, k in sizes]
b = [torch.randn(k, n, device="cuda", dtype=torch.float16) for m, n, k in sizes]
c = [torch.empty(m, n, device="cuda") for m, n, k in sizes]
tables = [torch.tensor([x.data_ptr() for x in group], device="cuda") for group in (a, b, c)]
grouped_kernel[(3,)](*tables, torch.tensor(sizes, device="cuda", dtype=torch.int32), M=16, N=16, K=16)
for x, y, z in zip(a, b, c):
    torch.testing.assert_close(z, x.float() @ y.float(), rtol=1e-3, atol=1e-3)
