# case: every configuration that the autotuner tries adds to the same output, and nothing zeroes it in between
# expect: accept
# task: tasks/matmul_small.py
# verify: reject wrong-result

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.autotune(
    configs=[triton.Config({"BLOCK": 16, "SPLIT": 2}), triton.Config({"BLOCK": 32, "SPLIT": 2}),
             triton.Config({"BLOCK": 32, "SPLIT": 4})],
    key=["M", "N", "K"],
)
@triton.jit
def split_k_kernel(a_ptr, b_ptr, c_ptr, M, N, K, BLOCK: tl.constexpr, SPLIT: tl.constexpr):
    rm = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    rn = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    acc = tl.zeros((BLOCK, BLOCK), dtype=tl.float32)
    for k0 in range(tl.program_id(2) * 16, K, 16 * SPLIT):
        rk = k0 + tl.arange(0, 16)
        a = tl.load(a_ptr + rm[:, None] * K + rk[None, :], mask=(rm[:, None] < M) & (rk[None, :] < K), other=0.0)
        b = tl.load(b_ptr + rk[:, None] * N + rn[None, :], mask=(rk[:, None] < K) & (rn[None, :] < N), other=0.0)
        acc = tl.dot(a, b, acc)
    tl.atomic_add(c_ptr + rm[:, None] * N + rn[None, :], acc, mask=(rm[:, None] < M) & (rn[None, :] < N))


class ModelNew(nn.Module):
    def forward(self, a, b):
        (M, K), N = a.shape, b.shape[1]
        c = torch.zeros((M, N), device=a.device, dtype=a.dtype)
        grid = lambda meta: (triton.cdiv(M, meta["BLOCK"]), triton.cdiv(N, meta["BLOCK"]), meta["SPLIT"])
        split_k_kernel[grid](a.contiguous(), b.contiguous(), c, M, N, K)
        return c
