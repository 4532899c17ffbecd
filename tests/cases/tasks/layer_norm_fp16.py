import torch
import torch.nn as nn

M = 70
FEATURES = 256


class Model(nn.Module):
    """Layer normalisation of half precision rows."""

    def __init__(self, features):
        super().__init__()
        self.ln = nn.LayerNorm(features).half()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.ln(x)


def get_inputs():
    return [(torch.randn(M, FEATURES) + 1.0).half()]


def get_init_inputs():
    return [FEATURES]
