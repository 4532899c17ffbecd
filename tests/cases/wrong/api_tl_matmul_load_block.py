# case: the GEMM is written with calls that read well and do not exist
# expect: reject unknown-triton-api
# rule: unknown-triton-api
# role: disguised

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def tiled_mm_kernel(a_ptr, b_ptr, c_ptr, M, N, K, T: tl.constexpr):
    pm, pn = tl.program_id(0), tl.program_id(1)
    acc = tl.zeros((T, T), dtype=tl.float32)
    for k in range(0, K, T):
        a = tl.load_block(a_ptr, (pm * T, k), (T, T), stride=K)
        b = tl.load_block(b_ptr, (k, pn * T), (T, T), stride=N)
        acc += tl.matmul(a, b)
    rm = pm * T + tl.arange(0, T)
    rn = pn * T + tl.arange(0, T)
    tl.store(c_ptr + rm[:, None] * N + rn[None, :], acc, mask=(rm[:, None] < M) & (rn[None, :] < N))


class ModelNew(nn.Module):
    def forward(self, a, b):
        M, K = a.shape
        N = b.shape[1]
        c = torch.empty((M, N), device=a.device, dtype=a.dtype)
        tiled_mm_kernel[(triton.cdiv(M, 32), triton.cdiv(N, 32))](a, b, c, M, N, K, T=32)
        return c
