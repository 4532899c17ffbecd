# The product of two tiles whose padding along K is undefined.
# rule: undefined-lane
import torch
import triton
import triton.language as tl


@triton.jit
def matmul_kernel(a_ptr, b_ptr, c_ptr, k_size, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    m = tl.arange(0, M)[:, None]
    n = tl.arange(0, N)[None, :]
    k = tl.arange(0, K)
    a = tl.load(a_ptr + m * k_size + k[None, :], mask=k[None, :] < k_size)
    b = tl.load(b_ptr + k[:, None] * N + n, mask=k[:, None] < k_size)
    tl.store(c_ptr + m * N + n, tl.dot(a, b))  # <-- here


a = torch.rand(16, 20, device="cuda", dtype=torch.float16)
b = torch.rand(20, 16, device="cuda", dtype=torch.float16)
c = torch.empty(16, 16, device="cuda")
matmul_kernel[(1,)](a, b, c, 20, M=16, N=16, K=32)
