# Parts of K are added by load and store, one program after the other, under a lock of the tile.
import torch
import triton
import triton.language as tl


@triton.jit
def split_k_kernel(a_ptr, b_ptr, c_ptr, lock_ptr, k_size, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    tile = tl.program_id(0)
    m = tile * M + tl.arange(0, M)[:, None]
    n = tl.arange(0, N)[None, :]
    k = tl.program_id(1) * K + tl.arange(0, K)
    a = tl.load(a_ptr + m * k_size + k[None, :])
    b = tl.load(b_ptr + k[:, None] * N + n)
    part = tl.dot(a, b)
    while tl.atomic_cas(lock_ptr + tile, 0, 1) == 1:
        pass
    c_ptrs = c_ptr + m * N + n
    tl.store(c_ptrs, tl.load(c_ptrs) + part)
    tl.debug_barrier()
    tl.atomic_xchg(lock_ptr + tile, 0)


a = torch.randn(32, 64, device="cuda", dtype=torch.float16)
b = torch.randn(64, 16, device="cuda", dtype=torch.float16)
c = torch.zeros(32, 16, device="cuda")
lock = torch.zeros(2, device="cuda", dtype=torch.int32)
split_k_kernel[(2, 4)](a, b, c, lock, 64, M=16, N=16, K=16)
torch.testing.assert_close(c, a.float() @ b.float(), rtol=1e-3, atol=1e-3)
