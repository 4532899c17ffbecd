import torch
import torch.nn as nn
import torch.nn.functional as F

CHANNELS = 5
H = 41
W = 56
OUT_H = 64
OUT_W = 37


class Model(nn.Module):
    """Images resized between their corners' centres."""

    def __init__(self, size):
        super().__init__()
        self.size = size

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return F.interpolate(x, size=self.size, mode="bilinear", align_corners=True)


def get_inputs():
    return [torch.randn(1, CHANNELS, H, W)]


def get_init_inputs():
    return [(OUT_H, OUT_W)]
