# case: the weight is transposed once, in the constructor, and the parameters that come later are ignored
# expect: accept
# task: tasks/linear_bf16.py
# verify: reject wrong-result|parameters-unmatched

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def matmul_kernel(x_ptr, w_ptr, b_ptr, y_ptr, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    m = tl.program_id(0) * BM + tl.arange(0, BM)
    n = tl.program_id(1) * BN + tl.arange(0, BN)
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for k0 in range(0, K, BK):
        k = k0 + tl.arange(0, BK)
        x = tl.load(x_ptr + m[:, None] * K + k[None, :], mask=(m[:, None] < M) & (k[None, :] < K), other=0.0)
        w = tl.load(w_ptr + k[:, None] * N + n[None, :], mask=(n[None, :] < N) & (k[:, None] < K), other=0.0)
        acc = tl.dot(x, w, acc)
    acc += tl.load(b_ptr + n, mask=n < N, other=0.0)[None, :]
    tl.store(y_ptr + m[:, None] * N + n[None, :], acc, mask=(m[:, None] < M) & (n[None, :] < N))


class ModelNew(nn.Module):
    def __init__(self, in_features, out_features):
        super().__init__()
        self.linear = nn.Linear(in_features, out_features).to(torch.bfloat16)
        self.packed = self.linear.weight.detach().t().contiguous()

    def forward(self, x):
        M, K = x.shape
        N = self.linear.out_features
        y = torch.empty((M, N), device=x.device, dtype=x.dtype)
        w = self.packed.to(x.device)
        matmul_kernel[(triton.cdiv(M, 32), triton.cdiv(N, 32))](
            x.contiguous(), w, self.linear.bias, y, M, N, K, BM=32, BN=32, BK=16)
        return y
