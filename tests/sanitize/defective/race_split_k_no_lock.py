# Each part of K adds its tile to the output, nobody takes the lock that is passed.
# rule: data-race
import torch
import triton
import triton.language as tl


@triton.jit
def split_k_kernel(a_ptr, b_ptr, c_ptr, lock_ptr, k_size, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    m = tl.arange(0, M)[:, None]
    n = tl.arange(0, N)[None, :]
    k = tl.program_id(0) * K + tl.arange(0, K)
    a = tl.load(a_ptr + m * k_size + k[None, :])
    b = tl.load(b_ptr + k[:, None] * N + n)
    c = tl.load(c_ptr + m * N + n)  # <-- either
    tl.store(c_ptr + m * N + n, c + tl.dot(a, b))  # <-- either
    tl.atomic_add(lock_ptr, 1)


a = torch.rand(16, 64, device="cuda", dtype=torch.bfloat16)
b = torch.rand(64, 16, device="cuda", dtype=torch.bfloat16)
c = torch.zeros(16, 16, device="cuda")
lock = torch.zeros(1, device="cuda", dtype=torch.int32)
split_k_kernel[(4,)](a, b, c, lock, 64, M=16, N=16, K=16)
