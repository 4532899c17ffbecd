# K is no multiple of the block and the loop over K has no mask: the last rows read into what follows.
# rule: out-of-bounds
import torch
import triton
import triton.language as tl


@triton.jit
def matmul_kernel(a_ptr, b_ptr, c_ptr, m_size, n_size, k_size, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    m = tl.arange(0, M)[:, None]
    n = tl.arange(0, N)[None, :]
    total = tl.zeros((M, N), tl.float32)
    for k in range(0, k_size, K):
        inner = k + tl.arange(0, K)
        a = tl.load(a_ptr + m * k_size + inner[None, :], mask=inner[None, :] < k_size, other=0.0)
        b = tl.load(b_ptr + inner[:, None] * n_size + n)  # <-- here
        total += tl.dot(a, b)
    tl.store(c_ptr + m * n_size + n, total)


a = torch.rand(16, 36, device="cuda", dtype=torch.float16)
b = torch.rand(36, 16, device="cuda", dtype=torch.float16)
c = torch.empty(16, 16, device="cuda")
matmul_kernel[(1,)](a, b, c, 16, 16, 36, M=16, N=16, K=16)
