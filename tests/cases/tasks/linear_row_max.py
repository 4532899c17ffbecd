import torch
import torch.nn as nn

M = 44
IN_FEATURES = 60
OUT_FEATURES = 90


class Model(nn.Module):
    """Linear layer, then the largest value of every row."""

    def __init__(self, in_features, out_features):
        super().__init__()
        self.linear = nn.Linear(in_features, out_features)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.max(self.linear(x), dim=1)[0]


def get_inputs():
    return [torch.randn(M, IN_FEATURES)]


def get_init_inputs():
    return [IN_FEATURES, OUT_FEATURES]
