# case: an embedding lookup with debug assertions on the index
# expect: accept
# task: tasks/embedding.py
# verify: accept

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def embedding_kernel(ids_ptr, weight_ptr, out_ptr, vocab, width, BLOCK: tl.constexpr):
    token = tl.program_id(0)
    row = tl.load(ids_ptr + token).to(tl.int64)
    tl.device_assert((row >= 0) & (row < vocab), "token id out of range")
    for start in range(0, width, BLOCK):
        c = start + tl.arange(0, BLOCK)
        v = tl.load(weight_ptr + row * width + c, mask=c < width)
        tl.store(out_ptr + token.to(tl.int64) * width + c, v, mask=c < width)


class ModelNew(nn.Module):
    def __init__(self, vocab, width):
        super().__init__()
        self.embedding = nn.Embedding(vocab, width)

    def forward(self, ids: torch.Tensor) -> torch.Tensor:
        table = self.embedding.weight
        vocab, width = table.shape
        ids = ids.contiguous()
        out = table.new_empty(*ids.shape, width)
        embedding_kernel[(ids.numel(),)](ids, table, out, vocab, width, BLOCK=64)
        return out
