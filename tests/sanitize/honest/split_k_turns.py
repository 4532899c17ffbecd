# Parts of K are added in a fixed order: each program waits for its turn and passes it on.
import torch
import triton
import triton.language as tl


@triton.jit
def split_k_kernel(a_ptr, b_ptr, c_ptr, turn_ptr, k_size, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    part = tl.program_id(0)
    m = tl.arange(0, M)[:, None]
    n = tl.arange(0, N)[None, :]
    k = part * K + tl.arange(0, K)
    product = tl.dot(tl.load(a_ptr + m * k_size + k[None, :]), tl.load(b_ptr + k[:, None] * N + n))
    while tl.atomic_add(turn_ptr, 0, sem="acquire") != part:
        pass
    tl.debug_barrier()
    c_ptrs = c_ptr + m * N + n
    if part == 0:
        tl.store(c_ptrs, product)
    else:
        tl.store(c_ptrs, tl.load(c_ptrs) + product)
    tl.debug_barrier()
    tl.atomic_xchg(turn_ptr, part + 1, sem="release")


a = torch.randn(16, 64, device="cuda", dtype=torch.bfloat16)
b = torch.randn(64, 16, device="cuda", dtype=torch.bfloat16)
c = torch.empty(16, 16, device="cuda")
turn = torch.zeros(1, device="cuda", dtype=torch.int32)
split_k_kernel[(4,)](a, b, c, turn, 64, M=16, N=16, K=16)
torch.testing.assert_close(c, a.float() @ b.float(), rtol=1e-3, atol=1e-3)
