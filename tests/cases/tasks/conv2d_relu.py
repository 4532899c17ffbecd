import torch
import torch.nn as nn

B = 2
IN_CHANNELS = 4
OUT_CHANNELS = 6
H = 13
W = 11
KERNEL = 3
STRIDE = 2


class Model(nn.Module):
    """Strided convolution, then ReLU."""

    def __init__(self, in_channels, out_channels, kernel_size, stride):
        super().__init__()
        self.conv = nn.Conv2d(in_channels, out_channels, kernel_size, stride=stride)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.relu(self.conv(x))


def get_inputs():
    return [torch.randn(B, IN_CHANNELS, H, W)]


def get_init_inputs():
    return [IN_CHANNELS, OUT_CHANNELS, KERNEL, STRIDE]
