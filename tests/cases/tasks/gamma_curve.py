import torch
import torch.nn as nn

N = 3700
GAMMA = 2.2


class Model(nn.Module):
    """Brightness to intensity, for either sign."""

    def __init__(self, gamma):
        super().__init__()
        self.gamma = gamma

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.sign(x) * torch.abs(x).pow(self.gamma)


def get_inputs():
    return [torch.randn(N)]


def get_init_inputs():
    return [GAMMA]
