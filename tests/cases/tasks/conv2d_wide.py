import torch
import torch.nn as nn

B = 64
IN = 48
OUT = 64
SIZE = 112


class Model(nn.Module):
    """A convolution of many channels, larger than the CPU device can run."""

    def __init__(self, in_channels, out_channels):
        super().__init__()
        self.conv = nn.Conv2d(in_channels, out_channels, 3)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.conv(x)


def get_inputs():
    return [torch.randn(B, IN, SIZE, SIZE)]


def get_init_inputs():
    return [IN, OUT]
