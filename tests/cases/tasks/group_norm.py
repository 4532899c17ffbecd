import torch
import torch.nn as nn

B = 3
GROUPS = 4
CHANNELS = 12
H = 10
W = 13


class Model(nn.Module):
    """Group normalisation of images."""

    def __init__(self, groups, channels):
        super().__init__()
        self.gn = nn.GroupNorm(groups, channels)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.gn(x)


def get_inputs():
    return [torch.randn(B, CHANNELS, H, W) * 2.0 - 0.3]


def get_init_inputs():
    return [GROUPS, CHANNELS]
