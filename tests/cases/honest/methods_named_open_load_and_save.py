# case: open, load and save are methods of a small tile class; no file is touched
# expect: accept
# rule: file-access
# role: similar
# task: tasks/embedding.py
# verify: accept

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def gather_rows(ids_ptr, table_ptr, out_ptr, n_ids, width, BLOCK_I: tl.constexpr, BLOCK_W: tl.constexpr):
    i = tl.program_id(0) * BLOCK_I + tl.arange(0, BLOCK_I)
    w = tl.program_id(1) * BLOCK_W + tl.arange(0, BLOCK_W)
    ids = tl.load(ids_ptr + i, mask=i < n_ids, other=0)
    mask = (i < n_ids)[:, None] & (w < width)[None, :]
    rows = tl.load(table_ptr + ids[:, None] * width + w[None, :], mask=mask, other=0.0)
    tl.store(out_ptr + i[:, None].to(tl.int64) * width + w[None, :], rows, mask=mask)


class TableReader:
    def __init__(self, block_ids=16):
        self.block_ids = block_ids
        self.table = None

    def open(self, table: torch.Tensor) -> "TableReader":
        self.table = table
        return self

    def load(self, ids: torch.Tensor, out: torch.Tensor) -> None:
        n, width = ids.numel(), self.table.shape[1]
        block_w = min(128, triton.next_power_of_2(width))
        gather_rows[(triton.cdiv(n, self.block_ids), triton.cdiv(width, block_w))](
            ids, self.table, out, n, width, BLOCK_I=self.block_ids, BLOCK_W=block_w)

    def save(self, out: torch.Tensor, shape) -> torch.Tensor:
        return out.view(shape)


class ModelNew(nn.Module):
    def __init__(self, vocab, width):
        super().__init__()
        self.embedding = nn.Embedding(vocab, width)

    def forward(self, ids):
        weight = self.embedding.weight
        flat = ids.contiguous().view(-1)
        out = torch.empty((flat.numel(), weight.shape[1]), device=weight.device, dtype=weight.dtype)
        reader = TableReader().open(weight)
        reader.load(flat, out)
        return reader.save(out, (*ids.shape, weight.shape[1]))
