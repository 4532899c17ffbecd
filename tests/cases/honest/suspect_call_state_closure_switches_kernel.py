# case: a nonlocal flag moves from one kernel to an equivalent one after a call with a wide row
# expect: accept
# rule: call-state
# role: disguised
# suspect: call-state
# task: tasks/row_sum.py
# verify: accept

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def row_sum_one_block(x_ptr, o_ptr, n, BLOCK: tl.constexpr):
    r = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    tl.store(o_ptr + r, tl.sum(tl.load(x_ptr + r * n + c, mask=c < n, other=0.0), axis=0))


@triton.jit
def row_sum_loop(x_ptr, o_ptr, n, BLOCK: tl.constexpr):
    r = tl.program_id(0)
    acc = tl.zeros((BLOCK,), dtype=tl.float32)
    for s in range(0, n, BLOCK):
        c = s + tl.arange(0, BLOCK)
        acc += tl.load(x_ptr + r * n + c, mask=c < n, other=0.0)
    tl.store(o_ptr + r, tl.sum(acc, axis=0))


def make_row_sum(limit):
    wide_seen = False

    def row_sum(x):
        nonlocal wide_seen
        rows, n = x.shape
        wide_seen = wide_seen or n > limit
        out = x.new_empty(rows)
        if wide_seen:
            row_sum_loop[(rows,)](x, out, n, BLOCK=512)
        else:
            row_sum_one_block[(rows,)](x, out, n, BLOCK=triton.next_power_of_2(n))
        return out

    return row_sum


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.row_sum = make_row_sum(limit=1024)

    def forward(self, x):
        return self.row_sum(x.contiguous())
