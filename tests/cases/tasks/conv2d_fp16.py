import torch
import torch.nn as nn

B = 2
IN_CHANNELS = 5
OUT_CHANNELS = 9
H = 12
W = 15
KERNEL = 3


class Model(nn.Module):
    """Half precision convolution of images."""

    def __init__(self, in_channels, out_channels, kernel_size):
        super().__init__()
        self.conv = nn.Conv2d(in_channels, out_channels, kernel_size).half()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.conv(x)


def get_inputs():
    return [torch.randn(B, IN_CHANNELS, H, W).half()]


def get_init_inputs():
    return [IN_CHANNELS, OUT_CHANNELS, KERNEL]
