# case: even under the any policy forward must reach a launch; here the launching method is only referenced
# expect: reject no-launch
# rule: no-launch
# role: disguised
# task: tasks/row_sum.py
# static: off
# verify: reject no-launch
# policy: any

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def row_sum_kernel(x_ptr, o_ptr, n, BLOCK: tl.constexpr):
    r = tl.program_id(0)
    acc = tl.zeros((BLOCK,), dtype=tl.float32)
    for s in range(0, n, BLOCK):
        c = s + tl.arange(0, BLOCK)
        acc += tl.load(x_ptr + r * n + c, mask=c < n, other=0.0)
    tl.store(o_ptr + r, tl.sum(acc, axis=0))


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.impl = self.fast

    def fast(self, x):
        out = x.new_empty(x.shape[0])
        row_sum_kernel[(x.shape[0],)](x, out, x.shape[1], BLOCK=512)
        return out

    def forward(self, x):
        return x.sum(dim=1) if callable(self.impl) else None
