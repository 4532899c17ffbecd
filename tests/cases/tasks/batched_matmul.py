import torch
import torch.nn as nn

B = 5
M = 40
K = 70
N = 50


class Model(nn.Module):
    """Products of a batch of matrices."""

    def __init__(self):
        super().__init__()

    def forward(self, a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
        return torch.bmm(a, b)


def get_inputs():
    return [torch.randn(B, M, K), torch.randn(B, K, N)]


def get_init_inputs():
    return []
