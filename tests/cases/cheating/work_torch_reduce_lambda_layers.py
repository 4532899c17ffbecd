# case: an MLP is folded with functools.reduce over a lambda that calls F.linear
# expect: reject torch-compute
# rule: torch-compute
# role: disguised

from functools import reduce

import torch
import torch.nn as nn
import torch.nn.functional as F
import triton
import triton.language as tl


@triton.jit
def _relu(p, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(p + i, tl.maximum(tl.load(p + i, mask=i < n), 0), mask=i < n)


def relu_(t):
    _relu[(triton.cdiv(t.numel(), 1024),)](t, t.numel(), BLOCK=1024)
    return t


class ModelNew(nn.Module):
    def __init__(self, sizes):
        super().__init__()
        self.weights = nn.ParameterList(nn.Parameter(torch.randn(o, i) * i**-0.5) for i, o in zip(sizes, sizes[1:]))
        self.biases = nn.ParameterList(nn.Parameter(torch.zeros(o)) for o in sizes[1:])

    def forward(self, x):
        layers = list(zip(self.weights, self.biases))
        h = reduce(lambda t, layer: relu_(F.linear(t, *layer)), layers[:-1], x)
        return F.linear(h, *layers[-1])
