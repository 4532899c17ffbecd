import torch
import torch.nn as nn

B = 2
CHANNELS = 5
H = 17
W = 22
KERNEL = 2


class Model(nn.Module):
    """Two-dimensional average pooling."""

    def __init__(self, kernel_size):
        super().__init__()
        self.pool = nn.AvgPool2d(kernel_size)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.pool(x)


def get_inputs():
    return [torch.randn(B, CHANNELS, H, W)]


def get_init_inputs():
    return [KERNEL]
