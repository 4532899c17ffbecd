# case: bags of embeddings, by torch in code that it writes at run time unless told not to
# expect: accept
# task: tasks/embedding_bag_mean.py
# verify: accept

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def bag_mean(idx_ptr, w_ptr, o_ptr, L, D, BLOCK_D: tl.constexpr):
    b = tl.program_id(0)
    d = tl.program_id(1) * BLOCK_D + tl.arange(0, BLOCK_D)
    m = d < D
    acc = tl.zeros((BLOCK_D,), tl.float32)
    for l in range(L):
        t = tl.load(idx_ptr + b * L + l)
        acc += tl.load(w_ptr + t * D + d, mask=m, other=0.0)
    tl.store(o_ptr + b * D + d, acc / L, mask=m)


class ModelNew(nn.Module):
    def __init__(self, vocab, dim):
        super().__init__()
        self.bag = nn.EmbeddingBag(vocab, dim, mode="mean")

    def forward(self, idx):
        B, L = idx.shape
        D = self.bag.embedding_dim
        out = torch.empty((B, D), device=idx.device, dtype=self.bag.weight.dtype)
        bag_mean[(B, triton.cdiv(D, 32))](idx.contiguous(), self.bag.weight, out, L, D, BLOCK_D=32)
        return out
