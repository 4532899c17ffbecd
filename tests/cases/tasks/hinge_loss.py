import torch
import torch.nn as nn

B = 300


class Model(nn.Module):
    """Mean hinge loss; the sign of the target is its class."""

    def __init__(self):
        super().__init__()

    def forward(self, score: torch.Tensor, target: torch.Tensor) -> torch.Tensor:
        return torch.mean(torch.clamp(1.0 - score * torch.sign(target), min=0.0))


def get_inputs():
    return [torch.randn(B), torch.randn(B)]


def get_init_inputs():
    return []
