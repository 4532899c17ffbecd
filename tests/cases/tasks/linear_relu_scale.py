import torch
import torch.nn as nn
import torch.nn.functional as F

M = 66
IN_FEATURES = 110
OUT_FEATURES = 75
SCALE = 0.6


class Model(nn.Module):
    """Linear layer, ReLU, multiplication by a constant."""

    def __init__(self, in_features, out_features, scale):
        super().__init__()
        self.linear = nn.Linear(in_features, out_features)
        self.scale = scale

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return F.relu(self.linear(x)) * self.scale


def get_inputs():
    return [torch.randn(M, IN_FEATURES)]


def get_init_inputs():
    return [IN_FEATURES, OUT_FEATURES, SCALE]
