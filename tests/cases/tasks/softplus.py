import torch
import torch.nn as nn
import torch.nn.functional as F

N = 3333


class Model(nn.Module):
    """Softplus of a vector."""

    def __init__(self):
        super().__init__()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return F.softplus(x)


def get_inputs():
    return [4.0 * torch.randn(N)]


def get_init_inputs():
    return []
