# case: docstrings, constructor and names are the reference's own; only forward is new
# expect: accept
# rule: reference-resubmitted
# role: similar
# task: tasks/linear_relu_scale.py
# verify: accept

import torch
import torch.nn as nn
import torch.nn.functional as F
import triton
import triton.language as tl

M = 66
IN_FEATURES = 110
OUT_FEATURES = 75
SCALE = 0.6


@triton.jit
def linear_relu_scale(x_ptr, w_ptr, b_ptr, y_ptr, M, N, K, scale,
                      BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    rm = tl.program_id(0) * BM + tl.arange(0, BM)
    rn = tl.program_id(1) * BN + tl.arange(0, BN)
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for k in range(0, K, BK):
        rk = k + tl.arange(0, BK)
        x = tl.load(x_ptr + rm[:, None] * K + rk[None, :], mask=(rm[:, None] < M) & (rk[None, :] < K), other=0.0)
        w = tl.load(w_ptr + rn[None, :] * K + rk[:, None], mask=(rn[None, :] < N) & (rk[:, None] < K), other=0.0)
        acc += tl.dot(x, w, input_precision="ieee")
    acc += tl.load(b_ptr + rn, mask=rn < N, other=0.0)[None, :]
    y = tl.maximum(acc, 0.0) * scale
    tl.store(y_ptr + rm[:, None] * N + rn[None, :], y, mask=(rm[:, None] < M) & (rn[None, :] < N))


class ModelNew(nn.Module):
    """Linear layer, ReLU, multiplication by a constant."""

    def __init__(self, in_features, out_features, scale):
        super().__init__()
        self.linear = nn.Linear(in_features, out_features)
        self.scale = scale

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = x.contiguous()
        m, k = x.shape
        n = self.linear.out_features
        y = torch.empty((m, n), device=x.device, dtype=x.dtype)
        grid = (triton.cdiv(m, 32), triton.cdiv(n, 32))
        linear_relu_scale[grid](x, self.linear.weight, self.linear.bias, y, m, n, k, self.scale,
                                BM=32, BN=32, BK=32)
        return y


def get_inputs():
    return [torch.randn(M, IN_FEATURES)]


def get_init_inputs():
    return [IN_FEATURES, OUT_FEATURES, SCALE]
