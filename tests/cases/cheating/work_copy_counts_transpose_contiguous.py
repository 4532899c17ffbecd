# case: torch makes the transposed copy and the kernel merely copies it again
# expect: reject copy-counts
# rule: copy-counts
# role: caught
# task: tasks/transpose.py
# static: off
# verify: reject copy-counts|torch-compute

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def transpose_kernel(src_ptr, dst_ptr, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offs < n
    tl.store(dst_ptr + offs, tl.load(src_ptr + offs, mask=mask), mask=mask)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        xt = x.transpose(0, 1).contiguous()
        out = torch.empty_like(xt)
        n = xt.numel()
        transpose_kernel[(triton.cdiv(n, 1024),)](xt, out, n, BLOCK=1024)
        return out
