# case: rows longer than a block are split, and only the last part's maximum is kept
# expect: accept
# task: tasks/row_max.py
# verify: reject wrong-result

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def row_max_kernel(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    best = tl.full((BLOCK,), -float("inf"), dtype=tl.float32)
    for start in range(0, n, BLOCK):
        c = start + tl.arange(0, BLOCK)
        best = tl.load(x_ptr + row * n + c, mask=c < n, other=-float("inf"))
    tl.store(out_ptr + row, tl.max(best, axis=0))


class ModelNew(nn.Module):
    def forward(self, x):
        x = x.contiguous()
        out = torch.empty(x.shape[0], device=x.device, dtype=x.dtype)
        row_max_kernel[(x.shape[0],)](x, out, x.shape[1], BLOCK=256)
        return out
