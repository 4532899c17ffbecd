import torch
import torch.nn as nn

M = 37
N = 91


class Model(nn.Module):
    """Stacks three matrices along a new first dimension."""

    def __init__(self):
        super().__init__()

    def forward(self, a: torch.Tensor, b: torch.Tensor, c: torch.Tensor) -> torch.Tensor:
        return torch.stack([a, b, c], dim=0)


def get_inputs():
    return [torch.randn(M, N), torch.randn(M, N), torch.randn(M, N)]


def get_init_inputs():
    return []
