import torch
import torch.nn as nn
import torch.nn.functional as F

BATCH = 4
LENGTH = 512
WIDTH = 512
HEADS = 8


class Model(nn.Module):
    """Causal attention in heads of which each has a part of the columns, larger than the CPU device can run."""

    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.projection = nn.Linear(width, 3 * width)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        batch, length, width = x.shape
        q, k, v = (t.view(batch, length, self.heads, -1).transpose(1, 2) for t in self.projection(x).split(width, dim=2))
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        return y.transpose(1, 2).reshape(batch, length, width)


def get_inputs():
    return [torch.randn(BATCH, LENGTH, WIDTH)]


def get_init_inputs():
    return [WIDTH, HEADS]
