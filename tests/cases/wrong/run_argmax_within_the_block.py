# case: the index of the best value is counted from the start of its block
# expect: accept
# task: tasks/argmax.py
# verify: reject wrong-result

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def argmax_kernel(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    best = -float("inf")
    at = 0
    for start in range(0, n, BLOCK):
        c = start + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + row * n + c, mask=c < n, other=-float("inf"))
        top = tl.max(x, axis=0)
        where = tl.argmax(x, axis=0)
        better = top > best
        at = tl.where(better, where, at)
        best = tl.where(better, top, best)
    tl.store(out_ptr + row, at)


class ModelNew(nn.Module):
    def forward(self, x):
        x = x.contiguous()
        out = torch.empty(x.shape[0], device=x.device, dtype=torch.int64)
        argmax_kernel[(x.shape[0],)](x, out, x.shape[1], BLOCK=128)
        return out
