import torch
import torch.nn as nn

M = 72
K = 130
N = 88


class Model(nn.Module):
    """Product of two bfloat16 matrices."""

    def __init__(self):
        super().__init__()

    def forward(self, a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
        return torch.matmul(a, b)


def get_inputs():
    return [torch.randn(M, K).to(torch.bfloat16), torch.randn(K, N).to(torch.bfloat16)]


def get_init_inputs():
    return []
