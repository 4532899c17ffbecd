import torch
import torch.nn as nn

M = 45
N = 220
LOW = -0.5
HIGH = 0.8


class Model(nn.Module):
    """Clamps every value to a range."""

    def __init__(self, low: float, high: float):
        super().__init__()
        self.low = low
        self.high = high

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.clamp(x, self.low, self.high)


def get_inputs():
    return [torch.randn(M, N)]


def get_init_inputs():
    return [LOW, HIGH]
