import torch
import torch.nn as nn

M = 44
N = 190
SCALE = 1.25
SHIFT = -0.75


class Model(nn.Module):
    """Multiplies by a constant and adds another."""

    def __init__(self, scale: float, shift: float):
        super().__init__()
        self.scale = scale
        self.shift = shift

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x * self.scale + self.shift


def get_inputs():
    return [torch.randn(M, N)]


def get_init_inputs():
    return [SCALE, SHIFT]
