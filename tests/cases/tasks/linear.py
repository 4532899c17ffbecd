import torch
import torch.nn as nn

B = 3
S = 22
IN_FEATURES = 96
OUT_FEATURES = 130


class Model(nn.Module):
    """A linear layer over the last dimension."""

    def __init__(self, in_features, out_features, bias=True):
        super().__init__()
        self.linear = nn.Linear(in_features, out_features, bias=bias)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.linear(x)


def get_inputs():
    return [torch.randn(B, S, IN_FEATURES)]


def get_init_inputs():
    return [IN_FEATURES, OUT_FEATURES]
