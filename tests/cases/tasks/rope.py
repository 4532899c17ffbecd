import torch
import torch.nn as nn

B = 2
HEADS = 3
S = 17
D = 32


class Model(nn.Module):
    """Rotary position embedding, halves rotated against each other."""

    def __init__(self):
        super().__init__()

    def forward(self, x: torch.Tensor, cos: torch.Tensor, sin: torch.Tensor) -> torch.Tensor:
        half = x.shape[-1] // 2
        left, right = x[..., :half], x[..., half:]
        return torch.cat([left * cos - right * sin, right * cos + left * sin], dim=-1)


def get_inputs():
    return [torch.randn(B, HEADS, S, D), torch.randn(S, D // 2), torch.randn(S, D // 2)]


def get_init_inputs():
    return []
