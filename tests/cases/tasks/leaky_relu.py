import torch
import torch.nn as nn
import torch.nn.functional as F

M = 50
N = 210
SLOPE = 0.1


class Model(nn.Module):
    """Leaky ReLU."""

    def __init__(self, slope: float):
        super().__init__()
        self.slope = slope

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return F.leaky_relu(x, self.slope)


def get_inputs():
    return [torch.randn(M, N)]


def get_init_inputs():
    return [SLOPE]
