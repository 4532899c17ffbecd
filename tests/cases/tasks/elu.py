import torch
import torch.nn as nn
import torch.nn.functional as F

M = 48
N = 700


class Model(nn.Module):
    """Exponential linear unit."""

    def __init__(self, alpha):
        super().__init__()
        self.alpha = alpha

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return F.elu(x, alpha=self.alpha)


def get_inputs():
    return [torch.randn(M, N)]


def get_init_inputs():
    return [1.3]
