import torch
import torch.nn as nn

M = 120
K = 340


class Model(nn.Module):
    """Product of a matrix and a vector."""

    def __init__(self):
        super().__init__()

    def forward(self, a: torch.Tensor, x: torch.Tensor) -> torch.Tensor:
        return a @ x


def get_inputs():
    return [torch.randn(M, K), torch.randn(K)]


def get_init_inputs():
    return []
