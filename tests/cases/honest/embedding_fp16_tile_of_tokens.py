# case: a tile of tokens gathers its rows of the table
# expect: accept
# task: tasks/embedding_fp16.py
# verify: accept

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def gather_kernel(ids_ptr, table_ptr, out_ptr, tokens, width, TOKENS: tl.constexpr, BLOCK: tl.constexpr):
    t = tl.program_id(0) * TOKENS + tl.arange(0, TOKENS)
    c = tl.arange(0, BLOCK)
    ids = tl.load(ids_ptr + t, mask=t < tokens, other=0)
    mask = (t[:, None] < tokens) & (c[None, :] < width)
    rows = tl.load(table_ptr + ids[:, None] * width + c[None, :], mask=mask, other=0.0)
    tl.store(out_ptr + t[:, None] * width + c[None, :], rows, mask=mask)


class ModelNew(nn.Module):
    def __init__(self, vocab, width):
        super().__init__()
        self.embedding = nn.Embedding(vocab, width).half()

    def forward(self, ids):
        ids = ids.contiguous()
        table = self.embedding.weight
        width = table.shape[1]
        out = torch.empty((*ids.shape, width), device=ids.device, dtype=table.dtype)
        gather_kernel[(triton.cdiv(ids.numel(), 8),)](ids, table, out, ids.numel(), width, TOKENS=8,
                                                      BLOCK=triton.next_power_of_2(width))
        return out
