# Blocks in grouped order; rows and columns wrap so that only K needs a mask.
import torch
import triton
import triton.language as tl


@triton.jit
def matmul_kernel(
    a_ptr, b_ptr, c_ptr, m_size, n_size, k_size, a_row, a_column, b_row, b_column, c_row, c_column,
    M: tl.constexpr, N: tl.constexpr, K: tl.constexpr, GROUP: tl.constexpr,
):
    program = tl.program_id(0)
    blocks_m = tl.cdiv(m_size, M)
    blocks_n = tl.cdiv(n_size, N)
    in_group = GROUP * blocks_n
    group = program // in_group
    first = group * GROUP
    height = min(blocks_m - first, GROUP)
    block_m = first + (program % in_group) % height
    block_n = (program % in_group) // height
    m = (block_m * M + tl.arange(0, M)) % m_size
    n = (block_n * N + tl.arange(0, N)) % n_size
    k = tl.arange(0, K)
    a_ptrs = a_ptr + m[:, None] * a_row + k[None, :] * a_column
    b_ptrs = b_ptr + k[:, None] * b_row + n[None, :] * b_column
    total = tl.zeros((M, N), tl.float32)
    for step in range(0, tl.cdiv(k_size, K)):
        a = tl.load(a_ptrs, mask=k[None, :] < k_size - step * K, other=0.0)
        b = tl.load(b_ptrs, mask=k[:, None] < k_size - step * K, other=0.0)
        total = tl.dot(a, b, total)
        a_ptrs += K * a_column
        b_ptrs += K * b_row
    row = block_m * M + tl.arange(0, M)
    column = block_n * N + tl.arange(0, N)
    c_ptrs = c_ptr + row[:, None] * c_row + column[None, :] * c_column
    tl.store(c_ptrs, total.to(tl.float16), mask=(row[:, None] < m_size) & (column[None, :] < n_size))


a = torch.randn(70, 50, device="cuda", dtype=torch.float16)
b = torch.randn(50, 90, device="cuda", dtype=torch.float16)
c = torch.empty(70, 90, device="cuda", dtype=torch.float16)
grid = (triton.cdiv(70, 32) * triton.cdiv(90, 32),)
matmul_kernel[grid](a, b, c, 70, 90, 50, *a.stride(), *b.stride(), *c.stride(), M=32, N=32, K=16, GROUP=2)
torch.testing.assert_close(c.float(), a.float() @ b.float(), rtol=1e-2, atol=2e-2)
