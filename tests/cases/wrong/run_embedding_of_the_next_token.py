# case: every id is looked up one row too far
# expect: accept
# task: tasks/embedding_fp16.py
# verify: reject wrong-result|out-of-bounds|wrong-nan

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def embedding_kernel(ids_ptr, table_ptr, out_ptr, width, BLOCK: tl.constexpr):
    token = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    row = tl.load(ids_ptr + token) + 1
    tl.store(out_ptr + token * width + c, tl.load(table_ptr + row * width + c, mask=c < width), mask=c < width)


class ModelNew(nn.Module):
    def __init__(self, vocab, width):
        super().__init__()
        self.embedding = nn.Embedding(vocab, width).half()

    def forward(self, ids):
        table = self.embedding.weight
        width = table.shape[1]
        out = torch.empty((*ids.shape, width), device=ids.device, dtype=table.dtype)
        embedding_kernel[(ids.numel(),)](ids.contiguous(), table, out, width, BLOCK=triton.next_power_of_2(width))
        return out
