# Block pointers that advance along K; what lies outside reads as zero.
import torch
import triton
import triton.language as tl


@triton.jit
def matmul_kernel(a_ptr, b_ptr, c_ptr, m_size, n_size, k_size, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    row, column = tl.program_id(0) * M, tl.program_id(1) * N
    a_block = tl.make_block_ptr(a_ptr, (m_size, k_size), (k_size, 1), (row, 0), (M, K), (1, 0))
    b_block = tl.make_block_ptr(b_ptr, (k_size, n_size), (n_size, 1), (0, column), (K, N), (1, 0))
    total = tl.zeros((M, N), tl.float32)
    for _ in range(0, k_size, K):
        a = tl.load(a_block, boundary_check=(0, 1), padding_option="zero")
        b = tl.load(b_block, boundary_check=(0, 1), padding_option="zero")
        total = tl.dot(a, b, total)
        a_block = tl.advance(a_block, (0, K))
        b_block = tl.advance(b_block, (K, 0))
    c_block = tl.make_block_ptr(c_ptr, (m_size, n_size), (n_size, 1), (row, column), (M, N), (1, 0))
    tl.store(c_block, total, boundary_check=(0, 1))


a = torch.randn(30, 50, device="cuda", dtype=torch.bfloat16)
b = torch.randn(50, 40, device="cuda", dtype=torch.bfloat16)
c = torch.empty(30, 40, device="cuda")
matmul_kernel[(2, 3)](a, b, c, 30, 40, 50, M=16, N=16, K=32)
torch.testing.assert_close(c, a.float() @ b.float(), rtol=1e-3, atol=1e-3)
