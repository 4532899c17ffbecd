import torch
import torch.nn as nn
import torch.nn.functional as F

M = 34
HIDDEN = 64
INNER = 112


class Model(nn.Module):
    """down(silu(gate(x)) * up(x)), as in Llama and Qwen."""

    def __init__(self, hidden, inner):
        super().__init__()
        self.gate = nn.Linear(hidden, inner, bias=False)
        self.up = nn.Linear(hidden, inner, bias=False)
        self.down = nn.Linear(inner, hidden, bias=False)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.down(F.silu(self.gate(x)) * self.up(x))


def get_inputs():
    return [2.0 * torch.randn(M, HIDDEN)]


def get_init_inputs():
    return [HIDDEN, INNER]
