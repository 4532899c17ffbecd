import torch
import torch.nn as nn

B = 3
IN_CHANNELS = 5
OUT_CHANNELS = 11
LENGTH = 140
KERNEL = 4


class Model(nn.Module):
    """One-dimensional convolution without padding."""

    def __init__(self, in_channels, out_channels, kernel_size):
        super().__init__()
        self.conv = nn.Conv1d(in_channels, out_channels, kernel_size)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.conv(x)


def get_inputs():
    return [torch.randn(B, IN_CHANNELS, LENGTH)]


def get_init_inputs():
    return [IN_CHANNELS, OUT_CHANNELS, KERNEL]
