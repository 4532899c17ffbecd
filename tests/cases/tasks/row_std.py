import torch
import torch.nn as nn

M = 52
N = 310


class Model(nn.Module):
    """Standard deviation of every row, with Bessel's correction."""

    def __init__(self):
        super().__init__()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.std(x, dim=1)


def get_inputs():
    return [torch.randn(M, N) * 1.4 + 0.3]


def get_init_inputs():
    return []
