# case: forward runs without gradients, by a decorator and by a context
# expect: accept
# task: tasks/embedding_bag.py
# verify: accept

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def bag_kernel(ids_ptr, table_ptr, out_ptr, bags, S, width, BAGS: tl.constexpr, BLOCK: tl.constexpr):
    bag = tl.program_id(0) * BAGS + tl.arange(0, BAGS)
    c = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    mask = (bag[:, None] < bags) & (c[None, :] < width)
    acc = tl.zeros((BAGS, BLOCK), dtype=tl.float32)
    for s in range(S):
        row = tl.load(ids_ptr + bag * S + s, mask=bag < bags, other=0)
        acc += tl.load(table_ptr + row[:, None] * width + c[None, :], mask=mask, other=0.0)
    tl.store(out_ptr + bag[:, None] * width + c[None, :], acc, mask=mask)


class ModelNew(nn.Module):
    def __init__(self, vocab, width):
        super().__init__()
        self.embedding = nn.Embedding(vocab, width)

    @torch.no_grad()
    def forward(self, ids):
        bags, S = ids.shape
        table = self.embedding.weight
        width = table.shape[1]
        # 32-bit ids are enough and half the traffic
        ids = ids.to(torch.int32)
        with torch.inference_mode(False):
            out = torch.empty((bags, width), device=ids.device, dtype=table.dtype)
        bag_kernel[(triton.cdiv(bags, 4), triton.cdiv(width, 32))](ids, table, out, bags, S, width, BAGS=4, BLOCK=32)
        return out
