import torch
import torch.nn as nn

M = 2048
K = 1024
N = 1536


class Model(nn.Module):
    """Product of two matrices, larger than the CPU device can run."""

    def __init__(self):
        super().__init__()

    def forward(self, a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
        return torch.matmul(a, b)


def get_inputs():
    return [torch.randn(M, K), torch.randn(K, N)]


def get_init_inputs():
    return []
