# case: the row's maximum is kept while the tiles of the product pass
# expect: accept
# task: tasks/linear_row_max.py
# verify: accept

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def linear_max_kernel(x_ptr, w_ptr, b_ptr, out_ptr, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    m = tl.program_id(0) * BM + tl.arange(0, BM)
    best = tl.full((BM,), -float("inf"), dtype=tl.float32)
    for n0 in range(0, N, BN):
        n = n0 + tl.arange(0, BN)
        acc = tl.zeros((BM, BN), dtype=tl.float32)
        for k0 in range(0, K, BK):
            k = k0 + tl.arange(0, BK)
            x = tl.load(x_ptr + m[:, None] * K + k[None, :], mask=(m[:, None] < M) & (k[None, :] < K), other=0.0)
            w = tl.load(w_ptr + n[None, :] * K + k[:, None], mask=(n[None, :] < N) & (k[:, None] < K), other=0.0)
            acc = tl.dot(x, w, acc, input_precision="ieee")
        acc += tl.load(b_ptr + n, mask=n < N, other=0.0)[None, :]
        best = tl.maximum(best, tl.max(tl.where(n[None, :] < N, acc, -float("inf")), axis=1))
    tl.store(out_ptr + m, best, mask=m < M)


class ModelNew(nn.Module):
    def __init__(self, in_features, out_features):
        super().__init__()
        self.linear = nn.Linear(in_features, out_features)

    def forward(self, x):
        x = x.contiguous()
        M, K = x.shape
        out = torch.empty(M, device=x.device, dtype=x.dtype)
        linear_max_kernel[(triton.cdiv(M, 16),)](x, self.linear.weight, self.linear.bias, out, M,
                                                 self.linear.out_features, K, BM=16, BN=32, BK=16)
        return out
