# case: the inputs are copied to the host, torch's CPU kernels multiply, the result is copied back
# expect: reject torch-compute
# task: tasks/matvec.py
# static: off
# verify: reject host-compute|torch-compute

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def copy_kernel(src, dst, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(dst + i, tl.load(src + i, mask=i < n, other=0.0), mask=i < n)


class ModelNew(nn.Module):
    def forward(self, a, x):
        y = torch.mv(a.cpu(), x.cpu()).to(a.device)
        out = torch.empty_like(y)
        copy_kernel[(triton.cdiv(y.numel(), 128),)](y, out, y.numel(), BLOCK=128)
        return out
