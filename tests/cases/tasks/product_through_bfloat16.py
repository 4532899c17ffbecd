import torch
import torch.nn as nn

M = 32
K = 64
N = 48


class Model(nn.Module):
    """Mixed precision written out: fp32 in and out, the product in bf16."""

    def __init__(self, k, n):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(n, k) * 0.1)

    def forward(self, x):
        return (x.bfloat16() @ self.weight.bfloat16().t()).float()


def get_inputs():
    return [torch.randn(M, K)]


def get_init_inputs():
    return [K, N]
