# Whole numbers of eight bits, added up in 32.
import torch
import triton
import triton.language as tl


@triton.jit
def matmul_kernel(a_ptr, b_ptr, c_ptr, k_size, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    m = tl.arange(0, M)[:, None]
    n = tl.arange(0, N)[None, :]
    total = tl.zeros((M, N), tl.int32)
    for start in range(0, k_size, K):
        k = start + tl.arange(0, K)
        a = tl.load(a_ptr + m * k_size + k[None, :], mask=k[None, :] < k_size, other=0)
        b = tl.load(b_ptr + k[:, None] * N + n, mask=k[:, None] < k_size, other=0)
        total = tl.dot(a, b, total, out_dtype=tl.int32)
    tl.store(c_ptr + m * N + n, total)


a = torch.randint(-128, 128, (32, 80), device="cuda", dtype=torch.int8)
b = torch.randint(-128, 128, (80, 32), device="cuda", dtype=torch.int8)
c = torch.empty(32, 32, device="cuda", dtype=torch.int32)
matmul_kernel[(1,)](a, b, c, 80, M=32, N=32, K=32)
expected = (a.cpu().long() @ b.cpu().long()).int()
assert torch.equal(c.cpu(), expected)
