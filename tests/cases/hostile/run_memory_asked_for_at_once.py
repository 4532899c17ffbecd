# case: one workspace of 64 TiB
# expect: accept
# task: tasks/row_sum.py
# verify: reject memory-limit|run-error

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def row_sum_kernel(x_ptr, ws_ptr, out_ptr, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    acc = tl.zeros((BLOCK,), dtype=tl.float32)
    for start in range(0, n, BLOCK):
        c = start + tl.arange(0, BLOCK)
        acc += tl.load(x_ptr + row * n + c, mask=c < n, other=0.0)
    total = tl.sum(acc, axis=0)
    tl.store(ws_ptr + row, total)
    tl.store(out_ptr + row, total)


class ModelNew(nn.Module):
    def forward(self, x):
        workspace = torch.empty(1 << 44, device=x.device, dtype=torch.float32)
        out = torch.empty(x.shape[0], device=x.device, dtype=x.dtype)
        row_sum_kernel[(x.shape[0],)](x, workspace, out, x.shape[1], BLOCK=512)
        return out
