# case: the entry is another class under the name ModelNew
# expect: accept
# rule: entry-missing
# role: similar
# task: tasks/rms_norm.py
# verify: accept

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def _rms_norm_fwd(X, W, Y, stride, N, eps, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    X += row * stride
    Y += row * stride
    acc = tl.zeros([BLOCK], dtype=tl.float32)
    for off in range(0, N, BLOCK):
        cols = off + tl.arange(0, BLOCK)
        a = tl.load(X + cols, mask=cols < N, other=0.0).to(tl.float32)
        acc += a * a
    rstd = 1.0 / tl.sqrt(tl.sum(acc) / N + eps)
    for off in range(0, N, BLOCK):
        cols = off + tl.arange(0, BLOCK)
        m = cols < N
        a = tl.load(X + cols, mask=m, other=0.0).to(tl.float32)
        w = tl.load(W + cols, mask=m, other=0.0).to(tl.float32)
        tl.store(Y + cols, a * rstd * w, mask=m)


class FusedRMSNorm(nn.Module):
    def __init__(self, features, eps=1e-6):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(features))
        self.eps = eps

    def forward(self, x):
        shape = x.shape
        x2d = x.contiguous().view(-1, shape[-1])
        y = torch.empty_like(x2d)
        _rms_norm_fwd[(x2d.shape[0],)](x2d, self.weight, y, x2d.stride(0), shape[-1], self.eps, BLOCK=256)
        return y.view(shape)


ModelNew = FusedRMSNorm
