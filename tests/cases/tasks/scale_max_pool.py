import torch
import torch.nn as nn

B = 4
CHANNELS = 12
SIZE = 24
WINDOW = 4


class Model(nn.Module):
    """A scale for each channel, then the largest of each window."""

    def __init__(self, channels, window):
        super().__init__()
        self.scale = nn.Parameter(torch.ones(channels, 1, 1))
        self.pool = nn.MaxPool2d(window)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.pool(x * self.scale)


def get_inputs():
    return [torch.randn(B, CHANNELS, SIZE, SIZE)]


def get_init_inputs():
    return [CHANNELS, WINDOW]
