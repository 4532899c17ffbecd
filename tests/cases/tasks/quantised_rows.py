import torch
import torch.nn as nn

ROWS = 65
N = 300


class Model(nn.Module):
    """Each row in whole numbers from -127 to 127, and what one of them stands for."""

    def forward(self, x: torch.Tensor):
        scale = x.abs().amax(dim=-1, keepdim=True).clamp_min(1e-12) / 127.0
        return torch.round(x / scale).clamp(-127, 127).to(torch.int8), scale


def get_inputs():
    return [torch.randn(ROWS, N)]


def get_init_inputs():
    return []
