import torch
import torch.nn as nn

M = 48
N = 320


class Model(nn.Module):
    """A value for each row, expanded without memory for it."""

    def __init__(self):
        super().__init__()

    def forward(self, x, b):
        return torch.relu(x + b)


def get_inputs():
    return [torch.randn(M, N), torch.randn(M, 1).expand(M, N)]


def get_init_inputs():
    return []
