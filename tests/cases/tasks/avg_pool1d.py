import torch
import torch.nn as nn

B = 4
C = 7
LENGTH = 150
KERNEL = 4
STRIDE = 2
PADDING = 1


class Model(nn.Module):
    """One-dimensional average pooling; the padding counts as zeros."""

    def __init__(self, kernel_size: int, stride: int, padding: int):
        super().__init__()
        self.avg_pool = nn.AvgPool1d(kernel_size, stride=stride, padding=padding)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.avg_pool(x)


def get_inputs():
    return [torch.randn(B, C, LENGTH)]


def get_init_inputs():
    return [KERNEL, STRIDE, PADDING]
