import torch
import torch.nn as nn

M = 55
N = 410


class Model(nn.Module):
    """Mean and (biased) variance of every row."""

    def __init__(self):
        super().__init__()

    def forward(self, x: torch.Tensor):
        mean = x.mean(dim=1)
        var = x.var(dim=1, unbiased=False)
        return mean, var


def get_inputs():
    return [torch.randn(M, N) * 1.3 + 0.7]


def get_init_inputs():
    return []
