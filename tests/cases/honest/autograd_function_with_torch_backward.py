# case: forward is a Triton kernel; the backward of the autograd function is written in torch
# expect: accept
# task: tasks/linear_relu_scale.py
# verify: accept

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def _fwd(X, W, B, Y, M, N, K, scale, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    pid_m, pid_n = tl.program_id(0), tl.program_id(1)
    rm = pid_m * BM + tl.arange(0, BM)
    rn = pid_n * BN + tl.arange(0, BN)
    rk = tl.arange(0, BK)
    acc = tl.zeros([BM, BN], tl.float32)
    for k in range(0, K, BK):
        km = k + rk < K
        x = tl.load(X + rm[:, None] * K + (k + rk)[None, :], mask=(rm < M)[:, None] & km[None, :], other=0.)
        w = tl.load(W + (k + rk)[:, None] + rn[None, :] * K, mask=(rn < N)[None, :] & km[:, None], other=0.)
        acc += tl.dot(x, w, input_precision="ieee")
    acc = tl.maximum(acc + tl.load(B + rn, mask=rn < N, other=0.)[None, :], 0.) * scale
    tl.store(Y + rm[:, None] * N + rn[None, :], acc, mask=(rm < M)[:, None] & (rn < N)[None, :])


class LinearReluScale(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight, bias, scale):
        x = x.contiguous()
        M, K = x.shape
        N = weight.shape[0]
        y = torch.empty((M, N), device=x.device, dtype=x.dtype)
        _fwd[(triton.cdiv(M, 32), triton.cdiv(N, 16))](x, weight, bias, y, M, N, K, scale, BM=32, BN=16, BK=32)
        ctx.save_for_backward(x, weight, y)
        ctx.scale = scale
        return y

    @staticmethod
    def backward(ctx, dy):
        x, weight, y = ctx.saved_tensors
        dz = dy * ctx.scale * (y != 0)
        return dz @ weight, dz.t() @ x, dz.sum(dim=0), None


class ModelNew(nn.Module):
    def __init__(self, in_features, out_features, scale):
        super().__init__()
        self.linear = nn.Linear(in_features, out_features)
        self.scale = scale

    def forward(self, x):
        return LinearReluScale.apply(x, self.linear.weight, self.linear.bias, self.scale)
