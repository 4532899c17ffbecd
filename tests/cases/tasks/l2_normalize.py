import torch
import torch.nn as nn
import torch.nn.functional as F

M = 42
N = 240


class Model(nn.Module):
    """Scales every row to unit length."""

    def __init__(self):
        super().__init__()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return F.normalize(x, dim=1)


def get_inputs():
    return [torch.randn(M, N)]


def get_init_inputs():
    return []
