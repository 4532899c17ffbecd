import torch
import torch.nn as nn
import torch.nn.functional as F

M = 64
N = 50


class Model(nn.Module):
    """A loss that takes probabilities alone."""

    def __init__(self):
        super().__init__()

    def forward(self, p, y):
        return F.binary_cross_entropy(p, y)


def get_inputs():
    return [torch.sigmoid(torch.randn(M, N)), (torch.rand(M, N) > 0.5).float()]


def get_init_inputs():
    return []
