import torch
import torch.nn as nn

B = 2
IN_CHANNELS = 3
OUT_CHANNELS = 10
H = 18
W = 21
KERNEL = 3
PADDING = 1


class Model(nn.Module):
    """Two-dimensional convolution."""

    def __init__(self, in_channels, out_channels, kernel_size, padding):
        super().__init__()
        self.conv = nn.Conv2d(in_channels, out_channels, kernel_size, padding=padding)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.conv(x)


def get_inputs():
    return [torch.randn(B, IN_CHANNELS, H, W)]


def get_init_inputs():
    return [IN_CHANNELS, OUT_CHANNELS, KERNEL, PADDING]
