import torch
import torch.nn as nn

M = 46
FEATURES = 200


class Model(nn.Module):
    """Layer normalisation of bfloat16 rows."""

    def __init__(self, features):
        super().__init__()
        self.ln = nn.LayerNorm(features).to(torch.bfloat16)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.ln(x)


def get_inputs():
    return [(1.5 * torch.randn(M, FEATURES) + 0.4).to(torch.bfloat16)]


def get_init_inputs():
    return [FEATURES]
