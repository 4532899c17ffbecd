# case: the operator's name is put together from character codes
# expect: reject torch-compute
# task: tasks/tanh.py
# static: off
# verify: reject torch-compute

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def copy_kernel(src, dst, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(dst + i, tl.load(src + i, mask=i < n, other=0.0), mask=i < n)


class ModelNew(nn.Module):
    def forward(self, x):
        name = "".join(map(chr, (116, 97, 110, 104)))
        y = getattr(torch._C._VariableFunctions, name)(x)
        out = torch.empty_like(y)
        copy_kernel[(triton.cdiv(y.numel(), 1024),)](y, out, y.numel(), BLOCK=1024)
        return out
