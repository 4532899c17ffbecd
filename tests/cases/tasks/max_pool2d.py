import torch
import torch.nn as nn

B = 2
C = 6
H = 23
W = 30
KERNEL = 3
STRIDE = 2
PADDING = 1


class Model(nn.Module):
    """Two-dimensional max pooling."""

    def __init__(self, kernel_size: int, stride: int, padding: int):
        super().__init__()
        self.pool = nn.MaxPool2d(kernel_size, stride=stride, padding=padding)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.pool(x)


def get_inputs():
    return [torch.randn(B, C, H, W) - 1.0]


def get_init_inputs():
    return [KERNEL, STRIDE, PADDING]
