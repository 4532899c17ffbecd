import torch
import torch.nn as nn

B = 2
CHANNELS = 7
H = 14
W = 17
KERNEL = 3
PADDING = 1


class Model(nn.Module):
    """Convolution of every channel by itself."""

    def __init__(self, channels, kernel_size, padding):
        super().__init__()
        self.conv = nn.Conv2d(channels, channels, kernel_size, padding=padding, groups=channels)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.conv(x)


def get_inputs():
    return [torch.randn(B, CHANNELS, H, W)]


def get_init_inputs():
    return [CHANNELS, KERNEL, PADDING]
