# case: the sum is a scatter: index_add_ into zeros
# expect: reject torch-compute
# task: tasks/sum_middle.py
# static: off
# verify: reject torch-compute

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def index_kernel(out_ptr, n, S, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out_ptr + i, i // S, mask=i < n)


class ModelNew(nn.Module):
    def forward(self, x):
        B, S, W = x.shape
        rows = torch.empty(B * S, device=x.device, dtype=torch.int32)
        index_kernel[(triton.cdiv(B * S, 256),)](rows, B * S, S, BLOCK=256)
        out = torch.zeros((B, W), device=x.device, dtype=x.dtype)
        return out.index_add_(0, rows, x.view(B * S, W))
