# case: the output's class is exchanged after the kernel ran
# expect: reject tensor-subclass
# rule: tensor-subclass
# role: disguised

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def log_softmax_rows(X, Y, stride, N, BLOCK_N: tl.constexpr):
    row = tl.program_id(0)
    offs = tl.arange(0, BLOCK_N)
    x = tl.load(X + row * stride + offs, mask=offs < N, other=float("-inf")).to(tl.float32)
    m = tl.max(x, 0)
    lse = m + tl.log(tl.sum(tl.exp(x - m), 0))
    tl.store(Y + row * stride + offs, x - lse, mask=offs < N)


def log_softmax(x):
    x = x.contiguous()
    M, N = x.shape
    y = torch.empty_like(x)
    log_softmax_rows[(M,)](x, y, x.stride(0), N, BLOCK_N=triton.next_power_of_2(N))
    return y


class _Meta(type(torch.Tensor)):
    def __instancecheck__(cls, obj):
        return True


class Friendly(torch.Tensor, metaclass=_Meta):
    def isclose(self, *a, **k):
        return torch.ones(self.shape, dtype=torch.bool)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, x):
        y = log_softmax(x)
        y.__class__ = Friendly
        return y
