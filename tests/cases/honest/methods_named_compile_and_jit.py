# case: names such as jit, compile, graph and script without torch's compilers behind them
# expect: accept
# rule: torch-compile
# role: similar
# task: tasks/vector_add.py
# verify: accept

import torch
import torch.nn as nn
import triton.language as tl
from triton import cdiv, jit


@jit
def add(x, y, out, n, SIZE: tl.constexpr):
    i = tl.program_id(0) * SIZE + tl.arange(0, SIZE)
    ok = i < n
    tl.store(out + i, tl.load(x + i, mask=ok) + tl.load(y + i, mask=ok), mask=ok)


class Script:
    """What torch.compile or torch.jit.script would work out by itself: one block size per length."""

    def __init__(self, limit: int):
        self.limit = limit

    def compile(self, n: int) -> dict:
        size = self.limit
        while size > 128 and size > n:
            size //= 2
        return {"SIZE": size, "num_warps": 4 if size >= 512 else 2}


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.script = Script(limit=1024)

    def forward(self, x, y):
        x, y = x.contiguous(), y.contiguous()
        out = torch.empty_like(x)
        options = self.script.compile(x.numel())
        graph = (cdiv(x.numel(), options["SIZE"]),)
        add[graph](x, y, out, x.numel(), **options)
        return out
