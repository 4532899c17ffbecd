import torch
import torch.nn as nn
import torch.nn.functional as F

M = 50
N = 1000


class Model(nn.Module):
    """Log-softmax over the last dimension."""

    def __init__(self, dim: int = -1):
        super().__init__()
        self.dim = dim

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return F.log_softmax(x, dim=self.dim)


def get_inputs():
    return [2.0 * torch.randn(M, N)]


def get_init_inputs():
    return []
