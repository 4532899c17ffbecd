# case: the rows of a bag are added in registers
# expect: accept
# task: tasks/embedding_bag.py
# verify: accept

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def bag_kernel(ids_ptr, table_ptr, out_ptr, S, width, BLOCK: tl.constexpr):
    bag = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    acc = tl.zeros((BLOCK,), dtype=tl.float32)
    for s in range(S):
        row = tl.load(ids_ptr + bag * S + s)
        acc += tl.load(table_ptr + row * width + c, mask=c < width, other=0.0)
    tl.store(out_ptr + bag * width + c, acc, mask=c < width)


class ModelNew(nn.Module):
    def __init__(self, vocab, width):
        super().__init__()
        self.embedding = nn.Embedding(vocab, width)

    def forward(self, ids):
        B, S = ids.shape
        width = self.embedding.embedding_dim
        out = torch.empty((B, width), device=ids.device, dtype=self.embedding.weight.dtype)
        bag_kernel[(B,)](ids.contiguous(), self.embedding.weight, out, S, width, BLOCK=triton.next_power_of_2(width))
        return out
