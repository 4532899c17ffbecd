import torch
import torch.nn as nn
import torch.nn.functional as F

M = 52
IN_FEATURES = 96
OUT_FEATURES = 72


class Model(nn.Module):
    """Half precision linear layer, then GELU by tanh."""

    def __init__(self, in_features, out_features):
        super().__init__()
        self.linear = nn.Linear(in_features, out_features).half()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return F.gelu(self.linear(x), approximate="tanh")


def get_inputs():
    return [torch.randn(M, IN_FEATURES).half()]


def get_init_inputs():
    return [IN_FEATURES, OUT_FEATURES]
