# case: the linear layer's bias is forgotten
# expect: accept
# task: tasks/linear_residual.py
# verify: reject wrong-result

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def linear_kernel(x_ptr, w_ptr, y_ptr, M, F, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    m = tl.program_id(0) * BM + tl.arange(0, BM)
    n = tl.program_id(1) * BN + tl.arange(0, BN)
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for k0 in range(0, F, BK):
        k = k0 + tl.arange(0, BK)
        x = tl.load(x_ptr + m[:, None] * F + k[None, :], mask=(m[:, None] < M) & (k[None, :] < F), other=0.0)
        w = tl.load(w_ptr + n[None, :] * F + k[:, None], mask=(n[None, :] < F) & (k[:, None] < F), other=0.0)
        acc += tl.dot(x, w)
    out_mask = (m[:, None] < M) & (n[None, :] < F)
    acc += tl.load(x_ptr + m[:, None] * F + n[None, :], mask=out_mask, other=0.0)
    tl.store(y_ptr + m[:, None] * F + n[None, :], acc, mask=out_mask)


class ModelNew(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.linear = nn.Linear(features, features)

    def forward(self, x):
        x = x.contiguous()
        M, F = x.shape
        y = torch.empty_like(x)
        linear_kernel[(triton.cdiv(M, 32), triton.cdiv(F, 32))](x, self.linear.weight, y, M, F, BM=32, BN=32, BK=32)
        return y
