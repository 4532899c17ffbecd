import torch
import torch.nn as nn

B = 6
T = 40
D = 72


class Model(nn.Module):
    """Means over as many steps as each sequence has."""

    def __init__(self):
        super().__init__()

    def forward(self, x, lengths):
        m = (torch.arange(x.shape[1], device=x.device)[None, :] < lengths[:, None]).to(x.dtype)
        return (x * m[:, :, None]).sum(1) / m.sum(1, keepdim=True)


def get_inputs():
    return [torch.randn(B, T, D), torch.full((B,), T)]


def get_init_inputs():
    return []
