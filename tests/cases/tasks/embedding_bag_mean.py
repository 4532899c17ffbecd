import torch
import torch.nn as nn

VOCAB = 60
DIM = 40
B = 14
L = 9


class Model(nn.Module):
    """Means of embeddings."""

    def __init__(self, vocab, dim):
        super().__init__()
        self.bag = nn.EmbeddingBag(vocab, dim, mode="mean")

    def forward(self, idx):
        return self.bag(idx)


def get_inputs():
    return [torch.randint(0, VOCAB, (B, L))]


def get_init_inputs():
    return [VOCAB, DIM]
