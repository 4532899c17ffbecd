import torch
import torch.nn as nn

M = 64
N = 500


class Model(nn.Module):
    """Index of the largest value of every row."""

    def __init__(self):
        super().__init__()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.argmax(x, dim=1)


def get_inputs():
    return [torch.randn(M, N)]


def get_init_inputs():
    return []
