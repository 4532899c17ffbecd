import torch
import torch.nn as nn

N = 32
M = 200


class Model(nn.Module):
    """Margins that labels of either sign leave."""

    def __init__(self):
        super().__init__()

    def forward(self, scores: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
        return torch.clamp(1 - scores * labels, min=0)


def get_inputs():
    return [torch.rand(N, M), torch.randint(0, 2, (N, M)).float() * 2 - 1]


def get_init_inputs():
    return []
