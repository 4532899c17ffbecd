# case: torch.func maps a dot product over rows and columns
# expect: reject torch-compute
# task: tasks/matmul_small.py
# static: off
# verify: reject torch-compute

import torch
import torch.nn as nn
import triton
import triton.language as tl
from torch.func import vmap


@triton.jit
def copy_kernel(src, dst, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(dst + i, tl.load(src + i, mask=i < n, other=0.0), mask=i < n)


class ModelNew(nn.Module):
    def forward(self, a, b):
        product = vmap(lambda row: vmap(lambda column: torch.dot(row, column), in_dims=1)(b))(a)
        product = product.contiguous()
        out = torch.empty_like(product)
        copy_kernel[(triton.cdiv(out.numel(), 1024),)](product, out, out.numel(), BLOCK=1024)
        return out
