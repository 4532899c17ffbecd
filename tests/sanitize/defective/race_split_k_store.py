# The parts of K are computed by different programs, and each stores the tile.
# rule: data-race
import torch
import triton
import triton.language as tl


@triton.jit
def split_k_kernel(a_ptr, b_ptr, c_ptr, k_size, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    m = tl.arange(0, M)[:, None]
    n = tl.arange(0, N)[None, :]
    k = tl.program_id(0) * K + tl.arange(0, K)
    a = tl.load(a_ptr + m * k_size + k[None, :])
    b = tl.load(b_ptr + k[:, None] * N + n)
    tl.store(c_ptr + m * N + n, tl.dot(a, b))  # <-- here


a = torch.rand(16, 64, device="cuda", dtype=torch.float16)
b = torch.rand(64, 16, device="cuda", dtype=torch.float16)
c = torch.zeros(16, 16, device="cuda")
split_k_kernel[(4,)](a, b, c, 64, M=16, N=16, K=16)
