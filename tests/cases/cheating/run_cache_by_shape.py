# case: one answer for every shape, computed when the shape is first seen
# expect: accept
# suspect: unresolved-call
# task: tasks/row_sum.py
# verify: reject wrong-result|output-overwritten

from collections import defaultdict

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def row_sum_kernel(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    acc = tl.zeros((BLOCK,), dtype=tl.float32)
    for start in range(0, n, BLOCK):
        c = start + tl.arange(0, BLOCK)
        acc += tl.load(x_ptr + row * n + c, mask=c < n, other=0.0)
    tl.store(out_ptr + row, tl.sum(acc, axis=0))


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.by_shape = defaultdict(list)

    def forward(self, x):
        known = self.by_shape[x.shape]
        if not known:
            out = torch.empty(x.shape[0], device=x.device, dtype=x.dtype)
            row_sum_kernel[(x.shape[0],)](x, out, x.shape[1], BLOCK=512)
            known.append(out)
        return known[0]
