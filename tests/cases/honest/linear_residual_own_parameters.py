# case: weight and bias are the module's own parameters, in the reference's order and shapes
# expect: accept
# task: tasks/linear_residual.py
# verify: accept

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def linear_residual_kernel(x_ptr, w_ptr, b_ptr, y_ptr, M, F, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    m = tl.program_id(0) * BM + tl.arange(0, BM)
    n = tl.program_id(1) * BN + tl.arange(0, BN)
    inside = (m[:, None] < M) & (n[None, :] < F)
    acc = tl.load(x_ptr + m[:, None] * F + n[None, :], mask=inside, other=0.0)
    for start in range(0, F, BK):
        k = start + tl.arange(0, BK)
        x = tl.load(x_ptr + m[:, None] * F + k[None, :], mask=(m[:, None] < M) & (k[None, :] < F), other=0.0)
        w = tl.load(w_ptr + n[None, :] * F + k[:, None], mask=(n[None, :] < F) & (k[:, None] < F), other=0.0)
        acc = tl.dot(x, w, acc, input_precision="tf32x3")
    acc += tl.load(b_ptr + n, mask=n < F, other=0.0)[None, :]
    tl.store(y_ptr + m[:, None] * F + n[None, :], acc, mask=inside)


class ModelNew(nn.Module):
    def __init__(self, features):
        super().__init__()
        bound = features ** -0.5
        self.weight = nn.Parameter(torch.empty(features, features).uniform_(-bound, bound))
        self.bias = nn.Parameter(torch.empty(features).uniform_(-bound, bound))

    def forward(self, x):
        x = x.contiguous()
        M, F = x.shape
        y = torch.empty_like(x)
        linear_residual_kernel[(triton.cdiv(M, 32), triton.cdiv(F, 16))](x, self.weight, self.bias, y, M, F,
                                                                         BM=32, BN=16, BK=32)
        return y
