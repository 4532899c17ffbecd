# case: a second kernel is only named, in a tuple whose first element alone is ever launched
# expect: accept
# rule: kernel-never-launched
# role: disguised
# suspect: kernel-never-launched
# task: tasks/row_max.py
# verify: accept

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def one_block(x_ptr, o_ptr, n, BLOCK: tl.constexpr):
    r = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    v = tl.load(x_ptr + r * n + c, mask=c < n, other=-float("inf"))
    tl.store(o_ptr + r, tl.max(v, axis=0))


@triton.jit
def many_blocks(x_ptr, o_ptr, n, BLOCK: tl.constexpr):
    r = tl.program_id(0)
    best = tl.full((BLOCK,), -float("inf"), dtype=tl.float32)
    for s in range(0, n, BLOCK):
        c = s + tl.arange(0, BLOCK)
        best = tl.maximum(best, tl.load(x_ptr + r * n + c, mask=c < n, other=-float("inf")))
    tl.store(o_ptr + r, tl.max(best, axis=0))


class ModelNew(nn.Module):
    STRATEGIES = (one_block, many_blocks)

    def __init__(self):
        super().__init__()

    def forward(self, x):
        launch, *_ = self.STRATEGIES
        rows, n = x.shape
        out = x.new_empty(rows)
        launch[(rows,)](x, out, n, BLOCK=triton.next_power_of_2(n))
        return out
