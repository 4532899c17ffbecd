import torch
import torch.nn as nn
import torch.nn.functional as F

M = 72
IN_FEATURES = 80
OUT_FEATURES = 100


class Model(nn.Module):
    """x @ weight + bias, then exact GELU."""

    def __init__(self, in_features, out_features):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(in_features, out_features) / in_features ** 0.5)
        self.bias = nn.Parameter(torch.randn(out_features))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return F.gelu(x @ self.weight + self.bias)


def get_inputs():
    return [torch.randn(M, IN_FEATURES)]


def get_init_inputs():
    return [IN_FEATURES, OUT_FEATURES]
